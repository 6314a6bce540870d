"""Every claim of a work, side by side with ours; one folder a work."""

from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.reproduce import pictures, reproduce, works
from equipoise_lab.papers.seeds import FAILING
from equipoise_lab.papers.settings import Setting

__all__ = ["FAILING", "Claim", "Setting", "pictures", "reproduce", "works"]
