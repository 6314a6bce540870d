"""Robot files, assemblies and recordings, damaged in ways that people and disks do."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import xarray as xr

NUMBERS = (
    "nan", "inf", "-inf", "-1", "0", "-0.0", "1e308", "-1e308", "1e-308", "1e400",
    "1e10", "1e-12", "99999999999999999999", "", " ", "abc", "0x10", "1,5", "1 2 3 4",
    "1e", "٣", "true", "-2147483649", "3.0000000001",
)  # fmt: skip
NAMES = (
    "", " ", "$x^$", "$\\frac$", "a\x9b31m", "\u202eabc", "world", "nan", "../../x",
    "a/b", "x" * 5000, "é足", "a\u2028b", "%s%n", "{0}", "<b>", "start", "\u0085",
)  # fmt: skip
EXTRAS = (
    '<replicate count="{n}" offset="0 0 .1"><geom size=".1" mass="1"/></replicate>',
    '<size nkey="{n}"/>', '<size memory="{n}"/>', '<option gravity="{n} 0 0"/>',
    '<option timestep="{n}" iterations="{n}"/>', '<include file="{name}"/>',
    '<compiler eulerseq="{name}" angle="{name}"/>', '<foo:bar xmlns="{name}"/>',
    '<geom type="mesh" mesh="{name}"/>', '<geom type="{name}" size="{n}"/>',
    '<geom type="box" size="{n} {n} {n}"/>', '<joint type="ball" range="0 {n}"/>',
    '<joint type="slide" axis="0 0 {n}"/>', "<freejoint/>", "<inertial/>",
    '<body name="{name}"><geom size="{n}" mass="{n}"/></body>', '<link name="{name}"/>',
    '<inertial mass="{n}" pos="0 0 {n}" diaginertia="{n} 1 1"/>',
    '<asset><mesh name="{name}" vertex="0 0 0 1 0 0 0 1 0 0 0 {n}"/></asset>',
    '<asset><hfield name="h" nrow="{n}" ncol="2" size="1 1 {n} 1"/></asset>',
    '<asset><texture type="2d" builtin="flat" width="{n}" height="4"/></asset>',
    '<keyframe><key name="{name}" qpos="{n}"/></keyframe>', "<!-- {name} -->",
    '<equality><connect body1="b" body2="{name}" anchor="0 0 {n}"/></equality>',
    '<contact><exclude body1="b" body2="{name}"/></contact>', "<![CDATA[{name}]]>",
    '<default class="{name}"><geom size="{n}"/></default>', "<?xml version='1.0'?>",
    '<custom><text name="{name}" data="{name}"/></custom>', "&#155;", "&undefined;",
    '<frame pos="0 0 {n}"><geom size=".1"/></frame>', "<worldbody/>", "text",
)  # fmt: skip
MJCF = """<mujoco model="m"><compiler angle="radian"/>
<default><geom friction="0.8"/>
<default class="leg"><geom size=".03"/></default></default>
<asset><mesh name="tet" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
<worldbody><geom name="floor" type="plane" size="2 2 .1"/>
<body name="b" pos="0 0 .35"><freejoint name="root"/>
<geom name="trunk" type="box" size=".2 .15 .05" mass="4"/><geom type="mesh" mesh="tet"/>
<body name="l1" pos=".15 .1 0"><joint name="j1" axis="0 1 0" range="-1 1"/>
<geom class="leg" type="capsule" fromto="0 0 0 0 0 -.3" mass=".5"/></body>
<body name="l2" pos=".15 -.1 0"><joint name="j2" axis="0 1 0"/>
<geom class="leg" type="capsule" fromto="0 0 0 0 0 -.3" mass=".5"/></body>
<body name="l3" pos="-.15 0 0"><inertial mass="1" pos="0 0 -.1" diaginertia=".1 .1 .1"/>
<geom class="leg" type="capsule" fromto="0 0 0 0 0 -.3"/><site name="s"/></body></body>
</worldbody><actuator><motor joint="j1" ctrlrange="-5 5"/></actuator>
<keyframe><key name="start" qpos="0 0 .33 1 0 0 0 0 0"/></keyframe></mujoco>"""
INERTIA = '<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/>'
URDF = f"""<robot name="r">
<link name="a"><inertial><origin xyz="0 0 .1"/><mass value="2"/>{INERTIA}</inertial>
<collision><origin xyz="0 0 .05" rpy="0 0 0"/>
<geometry><box size=".4 .3 .1"/></geometry>
</collision></link>
<link name="c"><inertial><mass value="1"/>{INERTIA}</inertial>
<visual><geometry><cylinder radius=".05" length=".3"/></geometry></visual></link>
<link name="d"><collision><geometry><sphere radius=".1"/></geometry></collision></link>
<joint name="ac" type="revolute"><parent link="a"/><child link="c"/><axis xyz="0 1 0"/>
<origin xyz="0 0 .2" rpy="0 0 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/>
</joint><joint name="ad" type="fixed"><parent link="a"/><child link="d"/></joint>
</robot>"""
ASSEMBLY = """equipoise: assembly/1
name: l
module: {kind: superbot, mass_scale: 0.1}
modules:
  m0: {}
  m1: {angles: [0.1, 0.0, -0.2]}
  m2: {}
connections:
  - [m0.front, m1.back, 0]
  - [m1.left, m2.back, 1]
ground: {module: m0, connector: back}
"""

DESCRIPTION = """robot: sticks
base: trunk
legs:
  FL:
    joints: [FL_hip, FL_knee]
    foot: {body: FL_foot, radius: 0.02, centre: [0, 0, 0]}
  FR: {joints: [FR_hip, FR_knee], foot: FR_foot}
  RL: {joints: [RL_hip, RL_knee]}
  RR:
    joints: [RR_hip, RR_knee]
    foot: {body: RR_foot, corners: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]]}
stand:
  joints: {FL_hip: 0.5, FL_knee: -1.0}
drives:
  FL_hip: {torque: 20, speed: 10, inertia: 0.1}
  "*_knee": {torque: 20, armature: 0.01}
held: []
assumed: []
"""


def drawn(rng: np.random.Generator, choices: "tuple[str, ...] | list[str]") -> str:
    """Return one of some texts."""
    return str(choices[int(rng.integers(len(choices)))])


def damaged_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Return bytes with some flipped, lost, doubled or cut off."""
    kind, at = int(rng.integers(5)), int(rng.integers(len(data)))
    size = int(rng.integers(1, 1 + min(200, len(data))))
    if kind == 0:
        noise = rng.integers(0, 256, int(rng.integers(1, 9)), dtype=np.uint8)
        places = rng.integers(0, len(data), len(noise))
        changed = bytearray(data)
        for place, value in zip(places, noise, strict=True):
            changed[place] = value
        return bytes(changed)
    if kind == 1:
        return data[:at] + data[at + size :]
    if kind == 2:
        return data[: at + size] + data[at:]
    if kind == 3:
        return data[:at]
    return data[:at] + rng.bytes(size) + data[at + size :]


def damaged_xml(text: str, rng: np.random.Generator) -> bytes:
    """Return a robot file with one to three things wrong, mostly still XML."""
    if rng.random() < 0.15:
        return damaged_bytes(text.encode(), rng)
    root = ET.fromstring(text)
    for _ in range(int(rng.integers(1, 4))):
        damage_tree(root, rng)
    content = ET.tostring(root, encoding="unicode")
    if rng.random() < 0.35:
        extra = drawn(rng, EXTRAS).format(n=drawn(rng, NUMBERS), name=drawn(rng, NAMES))
        ends = [found.end() for found in re.finditer(r"/?>", content)]
        at = ends[int(rng.integers(len(ends)))]
        content = content[:at] + extra + content[at:]
    if rng.random() < 0.08:
        coding = drawn(rng, ("latin-1", "utf-16", "utf-8", "klingon", "ascii"))
        head = f'<?xml version="1.0" encoding="{coding}"?>'
        known = coding if coding != "klingon" else "utf-8"
        return (head + content).encode(known, errors="replace")
    return content.encode(errors="replace")


def damage_tree(root: ET.Element, rng: np.random.Generator) -> None:
    """Change one thing in a tree of elements."""
    elements = list(root.iter())
    one = elements[int(rng.integers(len(elements)))]
    parent = elements[int(rng.integers(len(elements)))]
    kind = int(rng.integers(8))
    keys = list(one.attrib)
    if kind in (0, 1, 2) and keys:
        key = drawn(rng, keys)
        words = one.attrib[key].split() or [""]
        k = int(rng.integers(len(words)))
        is_name = key in ("name", "link", "mesh", "class", "joint", "model", "type")
        words[k] = drawn(rng, NAMES if is_name else NUMBERS)
        one.attrib[key] = " ".join(words)
    elif kind == 3 and keys:
        del one.attrib[drawn(rng, keys)]
    elif kind == 4 and len(one):
        one.remove(one[int(rng.integers(len(one)))])
    elif kind == 5 and one is not root and one not in parent.iter():
        parent.append(ET.fromstring(ET.tostring(one)))
    elif kind == 6:
        one.tag = drawn(rng, ("geom", "body", "joint", "link", "mass", "foo", "mujoco"))
    elif keys:
        one.attrib[
            drawn(rng, ("pos", "size", "mass", "quat", "type", "euler", "zz"))
        ] = drawn(rng, NUMBERS)


def damaged_yaml(text: str, rng: np.random.Generator) -> bytes:
    """Return an assembly or pose with something wrong."""
    if rng.random() < 0.3:
        return damaged_bytes(text.encode(), rng)
    for _ in range(int(rng.integers(1, 4))):
        words = list(re.finditer(r"[\w./-]+", text))
        word = words[int(rng.integers(len(words)))]
        new = drawn(
            rng, (*NUMBERS, *NAMES, "{}", "[]", "&a [*a]", "!!python/x", "null")
        )
        text = text[: word.start()] + new + text[word.end() :]
    return text.encode(errors="replace")


Change = Callable[[xr.Dataset, str, np.random.Generator], xr.Dataset]


def damaged_run(run: xr.Dataset, path: Path, rng: np.random.Generator) -> None:
    """Write a recording with something wrong, in its bytes or in what it holds."""
    if rng.random() < 0.3:
        run.to_netcdf(path, engine="h5netcdf")
        path.write_bytes(damaged_bytes(path.read_bytes(), rng))
        return
    changes: tuple[Change, ...] = (drop, retype, revalue, reshape, reattribute)
    for _ in range(int(rng.integers(1, 3))):
        name = drawn(rng, [str(n) for n in run.variables])
        with suppress(TypeError, ValueError):  # some damage xarray will not do
            run = changes[int(rng.integers(len(changes)))](run, name, rng)
    try:
        run.to_netcdf(path, engine="h5netcdf")
    except (TypeError, ValueError):  # some damage cannot be written
        path.write_bytes(b"")


def drop(run: xr.Dataset, name: str, rng: np.random.Generator) -> xr.Dataset:
    """Leave a variable out."""
    return run.drop_vars(name)


def retype(run: xr.Dataset, name: str, rng: np.random.Generator) -> xr.Dataset:
    """Store a variable as something else."""
    kind = drawn(rng, ("S4", "int8", "float32", "U3", "complex64", "bool", "uint64"))
    with np.errstate(all="ignore"):
        return run.assign({name: run[name].astype(kind)})


def revalue(run: xr.Dataset, name: str, rng: np.random.Generator) -> xr.Dataset:
    """Put strange numbers, or a strange robot, into a variable."""
    values = np.array(run[name].values)
    if name == "robot_mjcf":
        values = np.array(damaged_xml(str(values), rng).decode(errors="replace"))
    elif values.dtype.kind == "f" and values.size:
        odd = (np.nan, np.inf, 1e300, -1e300, 0.0, -1.0, 1e-300)
        value = odd[int(rng.integers(len(odd)))]
        if rng.random() < 0.3:
            values[...] = value
        else:
            values.flat[int(rng.integers(values.size))] = value
    elif values.dtype.kind in "UO" and values.size:
        values = values.astype(object)
        values.flat[int(rng.integers(values.size))] = drawn(rng, NAMES)
    return run.assign({name: (run[name].dims, values, run[name].attrs)})


def reshape(run: xr.Dataset, name: str, rng: np.random.Generator) -> xr.Dataset:
    """Change how many there are along an axis, or the axes."""
    dims = list(run[name].dims)
    if not dims:
        return run.drop_vars(name)
    dim = dims[int(rng.integers(len(dims)))]
    kind = int(rng.integers(4))
    if kind == 0:
        return run.isel({dim: slice(0, int(rng.integers(0, 3)))})
    if kind == 1:
        return run.isel({dim: slice(None, None, -1)})
    flat = run.drop_vars(name)
    if kind == 2:
        return flat.assign({name: (["other"], np.zeros(int(rng.integers(0, 5))))})
    return flat.assign({name: ((), 1.0)})


def reattribute(run: xr.Dataset, name: str, rng: np.random.Generator) -> xr.Dataset:
    """Change or drop what is written beside the signals."""
    key = drawn(rng, [str(k) for k in run.attrs])
    kind = int(rng.integers(4))
    run = run.copy()
    if kind == 0:
        del run.attrs[key]
    elif kind == 1:
        run.attrs[key] = drawn(
            rng, (*NAMES, *NUMBERS, "[]", "[1,2]", "{}", '["a",1,2]')
        )
    elif kind == 2:
        run.attrs[key] = [np.nan, 1e300, 0.0, -1.0][int(rng.integers(4))]
    else:
        run.attrs[key] = np.arange(int(rng.integers(1, 4)))
    return run
