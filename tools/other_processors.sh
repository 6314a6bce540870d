#!/bin/sh
# Run the tests as older and newer processors would round, in random order.
#
# Usage: tools/other_processors.sh PYTHON [PYTEST ARGUMENTS...]
#
# OpenBLAS, NumPy, glibc and Numba choose their instructions when a program starts; each
# can be told to leave out those that a processor does not have. Sums then have other
# last digits, and what hangs on them shows. SEED=n repeats an order and a hash seed,
# ONLY=Haswell tries one processor.
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
seed=${SEED:-$("$python" -c 'import secrets; print(secrets.randbelow(2**31))')}
simd=$("$python" -c '
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(*[name for name in __cpu_dispatch__ if __cpu_features__.get(name)])')
no_fma="glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL"

as() {  # as WORDS SETTINGS... : the tests with settings, which the words describe
    words=$1
    shift
    case "$*" in *"${ONLY:-}"*) ;; *) return ;; esac
    settings="$* PYTHONHASHSEED=$seed EQUIPOISE_TEST_ORDER=$seed"
    echo "As on $words: $settings"
    # shellcheck disable=SC2086  # the settings have no spaces but between them
    env NPY_DISABLE_CPU_FEATURES="$off" $settings \
        "$python" -m pytest -q -n 2 --dist loadfile $tests
    seed=$((seed + 1))
}

tests=$*
off=$simd
as "a processor of 2004" OPENBLAS_CORETYPE=Prescott GLIBC_TUNABLES=$no_fma
off=
as "one of 2013" OPENBLAS_CORETYPE=Haswell
if grep -qs avx512f /proc/cpuinfo; then
    as "one with AVX-512" OPENBLAS_CORETYPE=SkylakeX
else
    echo "No AVX-512 here, so its kernels were not tried."
fi
