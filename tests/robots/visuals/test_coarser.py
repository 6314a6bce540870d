"""Surfaces with fewer triangles: what is kept of the fine one."""

import numpy as np
import pytest

from equipoise.robots.visuals.triangles import coarser, surface

RED = (1.0, 0.0, 0.0, 1.0)


def sheet(n: int, tall: float = 0.0):
    """Return a sheet of 2 n² triangles over [3, 4] x [-1, 0], and up to a height."""
    x, y = np.meshgrid(np.linspace(3, 4, n + 1), np.linspace(-1, 0, n + 1))
    z = tall * np.sin(3.0 * x) * np.cos(2.0 * y)
    corners = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    k = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.vstack([np.column_stack([k, k + 1, k + n + 2]),
                       np.column_stack([k, k + n + 2, k + n + 1])])  # fmt: skip
    return surface(corners, faces, RED)


def areas(part):
    """Return each triangle's area with its side, along z."""
    a, b, c = (part.vertices[part.faces[:, k]].astype(float) for k in range(3))
    return 0.5 * np.cross(b - a, c - a)


@pytest.mark.parametrize("most", [50, 200, 1000, 2000])
def test_a_sheet_stays_a_sheet_as_fine_as_may_be(most):
    fine = sheet(32)
    part = coarser(fine, most)
    assert most / 4 < len(part.faces) <= most
    assert part.rgba == RED
    assert len(np.unique(np.sort(part.faces, axis=1), axis=0)) == len(part.faces)
    a, b, c = part.faces.T
    assert ((a != b) & (b != c) & (c != a)).all()
    assert set(np.unique(part.faces)) == set(range(len(part.vertices)))
    # flat, seen from the same side; half a cell is lost along each edge at most
    found = areas(part)
    assert (found[:, 2] >= -1e-7).all()
    cells = np.sqrt(most / 8.0)
    assert (1.0 - 1.0 / cells) ** 2 - 0.05 < found[:, 2].sum() <= 1.0 + 1e-6


def test_corners_of_a_cell_are_one_at_their_mean():
    """Of three by three corners the outer two columns and rows share cells of 1/2."""
    fine = sheet(2)
    assert coarser(fine, 8) is fine
    part = coarser(fine, 7)
    fine_corners = fine.vertices.astype(float)
    # every corner that is left is the mean of some that were there
    low, side = fine_corners.min(axis=0), 1.0
    means = set()
    for cells in range(1, 2048):
        at = np.floor((fine_corners - low) / (side / cells)).astype(int)
        for cell in np.unique(at, axis=0):
            mine = fine_corners[(at == cell).all(axis=1)]
            means.add(tuple(np.round(mine.mean(axis=0), 5)))
        if cells > 4:
            break
    assert {tuple(np.round(v, 5)) for v in part.vertices.astype(float)} <= means
    assert 1 <= len(part.faces) <= 7


def test_what_has_no_coarser_form_loses_triangles():
    """Two triangles far apart, smaller than any cell: none is left of them."""
    corners = [[0, 0, 0], [1e-5, 0, 0], [0, 1e-5, 0]]
    far = [[x + 1.0, y, z] for x, y, z in corners]
    fine = surface(corners + far, [[0, 1, 2], [3, 4, 5]], RED)
    part = coarser(fine, 1)
    assert len(part.faces) == 1 and part.rgba == RED


def test_a_surface_keeps_its_height():
    fine = sheet(40, tall=0.3)
    part = coarser(fine, 400)
    x, y, z = part.vertices.astype(float).T
    # corners are means over cells of a tenth, on a surface that bends by two
    np.testing.assert_allclose(z, 0.3 * np.sin(3.0 * x) * np.cos(2.0 * y), atol=0.02)
    assert np.ptp(z) > 0.25
