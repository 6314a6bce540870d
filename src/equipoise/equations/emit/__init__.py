"""Programs as C, as LLVM, and as functions to call."""
