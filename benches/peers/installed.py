"""What is there of the peers."""

import importlib


def load(name):
    """The module, or nothing, said aloud."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"SKIPPED: {name} is not installed")
        return None
