"""The knowledge base: facts in, a file of questions and answers out (`build`); a question in, its fact out.

The general base is beside this module, as the facts and as the file made of them.
"""

from verifleet.knowledge_base.sqlite_base import SqliteKnowledgeBase, open_knowledge_base

__all__ = ["SqliteKnowledgeBase", "open_knowledge_base"]
