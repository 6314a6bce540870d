"""A compiled function in two halves: its body, and the door for calls from Python.

Numba makes every compiled function ready for calls from Python: arguments are taken out
of Python's objects, and all becomes machine code, though most kernels are only called
by other kernels, whose machine code contains a copy of them. Here a kernel that others
call is a *body*, code for the compiler, and is kept as such; its door, and with it
machine code, is made when Python calls. So code is optimized once, where it runs.

This leans on the inside of one Numba; ``KNOWN`` says whether it is that one. With
another, ``compiled`` takes Numba's own functions: slower to start, the same numbers.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import llvmlite.binding as llvm
import numba
from numba.core import (
    caching,
    codegen,
    compiler,
    dispatcher,
    environment,
    event,
    registry,
    sigutils,
    targetconfig,
    types,
    typing,
)
from numba.core.compiler_lock import global_compiler_lock

from equipoise.core.held_signals import held_back
from equipoise.core.quick_numba import Flags, remember
from equipoise.core.turns import turn

__all__ = ["KNOWN", "Kernel"]

KNOWN = numba.__version__.startswith("0.68.")

_Library = cast(Any, codegen).JITCodeLibrary
_Files = cast(Any, caching).CompileResultCacheImpl
_Compiler = cast(Any, dispatcher)._FunctionCompiler
_Dispatcher = cast(Any, registry).CPUDispatcher
_llvm, _compiler = cast(Any, llvm), cast(Any, compiler)


class Code(_Library):
    """Code that goes into that of others; no machine code is made of it alone."""

    def finalize(self) -> None:
        """Take in what it calls."""
        for one in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(one._reload_init)
            module = one._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def load(self, module: Any, again: Any) -> None:
        """Be what was stored.

        Args:
            module: the code, with what it calls.
            again: what must be called before it is used.
        """
        self._final_module = module
        self._reload_init.update(again)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave it to those who contain it, which see more."""
        ll_module.data_layout = self._codegen._data_layout


class MachineCode(_Library):
    """A body and its door, for the processor; nobody contains it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave it to the one pass over everything."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@dataclass(eq=False, slots=True)
class KernelBody:
    """Kernel as seen by another one that calls it."""

    signature: Any
    fndesc: Any
    environment: Any
    library: Any
    inside: tuple[Any, ...] = ()
    """The environments of kernels that it calls, which must live as long."""

    @property
    def codegen(self) -> Any:
        """What makes machine code."""
        return self.library.codegen

    def stored(self) -> tuple[Any, ...]:
        """Return it as it is stored."""
        self.fndesc.typemap = self.fndesc.calltypes = None
        code = self.library._get_module_for_linking().as_bitcode()
        again = tuple(self.library._reload_init)
        own = self.signature, self.fndesc, self.environment
        return "body", self.library.name, code, again, own, _environments(self.library)

    @classmethod
    def loaded(cls, context: Any, stored: tuple[Any, ...]) -> "KernelBody":
        """Return what was stored.

        Args:
            context: of the processor.
            stored: what ``stored`` returned.
        """
        _, name, code, again, (signature, fndesc, env), inside = stored
        for one in again:
            one()
        library = Code(context.codegen(), name)
        library.load(_llvm.parse_bitcode(code), again)
        return cls(signature, fndesc, env, library, inside)


def _environments(library: Any) -> tuple[Any, ...]:
    """Return the environments, Numba's word for a kernel's globals, that code names."""
    names = (one.name for one in library._final_module.global_variables)
    found = (environment.lookup_environment(n) for n in names if "NumbaEnv" in n)
    return tuple(one for one in found if one is not None and one.can_cache())


class KernelFiles(_Files):
    """Stored files of a kernel: bodies and machine code."""

    def reduce(self, data: Any) -> Any:
        """Return a body or machine code as it is stored."""
        if isinstance(data, KernelBody):
            return data.stored()
        data.fndesc.typemap = data.fndesc.calltypes = None
        # Numba wants code beside machine code, of which it takes the names only.
        name = data.fndesc.llvm_cpython_wrapper_name
        named = _llvm.parse_assembly(f'define void @"{name}"() {{ ret void }}')
        code = data.library._get_compiled_object(), named.as_bitcode()
        own = data.fndesc, data.environment, data.signature, False, (), ""
        inside = _environments(data.library)
        return (data.library.name, "object", code), *own, data.reload_init, inside

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return what was stored."""
        if payload[0] == "body":
            return KernelBody.loaded(target_context, payload)
        return super().rebuild(target_context, payload)

    def check_cachable(self, cres: Any) -> bool:
        """Tell whether something can be stored: it must not name an address."""
        return not cres.library.has_dynamic_globals


class KernelCompiler(_Compiler):
    """Compiles bodies."""

    def flags(self) -> Flags:
        """Return the settings with which a kernel is compiled."""
        flags = Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = True
        return flags

    def body(self, args: tuple[Any, ...]) -> KernelBody:
        """Return the body for some types of arguments.

        Args:
            args: the types.
        """
        target = self.targetdescr
        context = target.target_context
        with held_back():  # the first time Numba makes machine code of its own here
            context.refresh()
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        made = _compiler.compile_extra(
            target.typing_context,
            context,
            self.py_func,
            args=args,
            return_type=None,
            flags=self.flags(),
            locals=self.locals,
            library=Code(context.codegen(), name),
            pipeline_class=self.pipeline_class,
        )
        return KernelBody(made.signature, made.fndesc, made.environment, made.library)


class Kernel(_Dispatcher):
    """Numba's compiled function, in two halves."""

    def __init__(
        self,
        py_func: Any,
        locals: Any = None,
        targetoptions: Any = None,
        pipeline_class: Any = _compiler.Compiler,
    ) -> None:
        own = targetoptions, locals or {}, pipeline_class
        super().__init__(py_func, own[1], own[0], own[2])
        self._bodies: dict[tuple[Any, ...], KernelBody] = {}
        self._compiler = KernelCompiler(py_func, self.targetdescr, *own)

    def enable_caching(self) -> None:
        """Keep code on disk."""
        super().enable_caching()
        self._cache._impl.__class__ = KernelFiles

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return what another kernel must know to call this one.

        Numba takes ``get3(a, k, 9)`` and ``get3(a, k, 12)`` for calls of two kinds and
        compiles a copy for each; here all whole numbers are of one kind. A kernel that
        is inlined into its callers knows the number anyhow.
        """
        plain = tuple(_plain(one) for one in args)
        named = {name: _plain(one) for name, one in kws.items()}
        pysig, folded = self._compiler.fold_argument_types(plain, named)
        body = self.body(tuple(folded), keep=True)
        name = self.py_func.__name__
        template = cast(Any, typing).make_concrete_template(
            f"CallTemplate({name})", key=name, signatures=[body.signature]
        )
        return template, pysig, folded, {}

    def get_overload(self, sig: Any) -> KernelBody:
        """Return what Numba knows the callee by."""
        args, _ = cast(Any, sigutils).normalize_signature(sig)
        return self._bodies[tuple(args)]

    def body(self, args: tuple[Any, ...], keep: bool = False) -> KernelBody:
        """Return the body for some types of arguments; compile it if need be.

        Args:
            args: the types.
            keep: on disk too.
        """
        with global_compiler_lock, self._compiling_counter:
            if args in self._bodies:
                return self._bodies[args]

            def made() -> KernelBody:
                with self._compiling(args):
                    return self._compiler.body(args)

            body = self._stored(("body", *args), made, keep)
            self._bodies[args] = body
            self.targetctx.insert_user_function(body, body.fndesc, [body.library])
            return body

    def compile(self, sig: Any) -> Any:
        """Return machine code that Python can call, for some types of arguments."""
        with global_compiler_lock, self._compiling_counter:
            if not self._can_compile:
                raise RuntimeError("compilation disabled")
            args, _ = cast(Any, sigutils).normalize_signature(sig)
            if args in self.overloads:
                return self.overloads[args].entry_point

            def made() -> Any:
                self._cache_misses[sig] += 1
                with self._compiling(args):
                    return self._with_door(self.body(args))

            before = self._cache_misses[sig]
            code = self._stored(sig, made)
            self._cache_hits[sig] += before == self._cache_misses[sig]
            self.add_overload(code)
            return code.entry_point

    def _stored(self, key: Any, made: Callable[[], Any], keep: bool = True) -> Any:
        """Return what is stored, or make and store it; other processes wait."""
        found = self._found(key)
        if found is not None:
            return found
        if not keep or self._cache.cache_path is None:
            return made()
        name = self._cache._cache_file._index_name
        with turn(self._cache.cache_path, f"{name} {key}"):
            found = self._found(key)
            if found is None:
                found = made()
                with suppress(OSError):  # a full disk only costs time later
                    self._cache.save_overload(key, found)
        return found

    def _found(self, key: Any) -> Any:
        """Return what is stored, None where there is none that can be used."""
        try:
            with held_back():
                return self._cache.load_overload(key, self.targetctx)
        except Exception:  # of another compiler, in many ways; it is made anew
            return None

    def _compiling(self, args: tuple[Any, ...]) -> Any:
        """Tell those who listen that this kernel is being compiled."""
        told = {"dispatcher": self, "args": args, "return_type": None}
        return cast(Any, event).trigger_event("numba:compile", data=told)

    def _with_door(self, body: KernelBody) -> Any:
        """Return a body's machine code with its door for Python.

        The compiler calls back into Python, where what a signal raises is lost and
        leaves half of the code behind.
        """
        with held_back():
            return self._machine_code(body)

    def _machine_code(self, body: KernelBody) -> Any:
        """Return a body's machine code, in one go."""
        flags, fndesc, env = self._compiler.flags(), body.fndesc, body.environment
        context = _compiler._make_subtarget(self.targetctx, flags)
        library = MachineCode(body.codegen, body.library.name)
        library.enable_object_caching()
        library.add_linking_library(body.library)
        with cast(Any, targetconfig).ConfigStack().enter(flags):
            context.create_cpython_wrapper(
                library, fndesc, env, None, flags.release_gil
            )
            entry = context.get_executable(library, fndesc, env)
        inside = _environments(library)
        for one in inside:
            library.codegen.set_env(one.env_name, one)
        return _compiler.compile_result(
            typing_context=self.typingctx,
            target_context=self.targetctx,
            entry_point=entry,
            library=library,
            signature=body.signature,
            objectmode=False,
            lifted=(),
            fndesc=fndesc,
            environment=env,
            reload_init=list(library._reload_init),
            referenced_envs=inside,
        )


def _plain(kind: Any) -> Any:
    is_number = isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral))
    return types.unliteral(kind) if is_number else kind


if KNOWN:
    remember()
