"""A Deep Agent behind the Agent Client Protocol, started by REX for one turn.

It reads below the session's folder and writes nowhere: what Deep Agents puts aside for itself stays in memory, and so
does the conversation, which REX keeps.
"""

import asyncio
import os

from acp import run_agent
from deepagents import create_deep_agent
from deepagents.backends import CompositeBackend, FilesystemBackend, StateBackend
from deepagents.backends.protocol import DeleteResult, EditResult, FileUploadResponse, WriteResult
from deepagents_acp.server import AgentServerACP
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver

DENIED = "This conversation can read files, not change them."
ASIDE = ["/large_tool_results/", "/conversation_history/", "/memories/"]


class ReadingBackend(FilesystemBackend):
    def write(self, *_, **__):
        return WriteResult(error=DENIED)

    def edit(self, *_, **__):
        return EditResult(error=DENIED)

    def delete(self, *_, **__):
        return DeleteResult(error=DENIED)

    def upload_files(self, files):
        return [FileUploadResponse(path=path, error="permission_denied") for path, _ in files]


def agent(session):
    folder = ReadingBackend(root_dir=session.cwd, virtual_mode=True)
    memory = StateBackend()
    return create_deep_agent(
        model=ChatOpenAI(
            model=os.environ["DEEPAGENTS_MODEL"],
            base_url=os.environ["DEEPAGENTS_BASE_URL"],
            api_key=os.environ.get("DEEPAGENTS_KEY", "none"),
            max_retries=4,
            use_responses_api=False,
        ),
        backend=CompositeBackend(default=folder, routes={place: memory for place in ASIDE}),
        checkpointer=InMemorySaver(),
    )


asyncio.run(run_agent(AgentServerACP(agent=agent)))
