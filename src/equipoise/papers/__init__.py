"""Every claim of a work, side by side with ours; one folder a work."""

from equipoise.papers.claim import Claim
from equipoise.papers.reproduce import pictures, reproduce, works
from equipoise.papers.settings import Setting

__all__ = ["Claim", "Setting", "pictures", "reproduce", "works"]
