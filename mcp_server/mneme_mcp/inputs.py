"""What the tools take, in types whose schema teaches the model before it errs.

The docstrings and descriptions here are read by models. Names, limits and defaults are those of the
decision-index format, section 10.4; the class names appear in the schema.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

OriginName = Literal["ai_generated", "human_authored", "imported_unknown"]
StatusName = Literal["proposed", "accepted", "rejected"]
LifecycleName = Literal["active", "superseded", "deprecated", "inactive"]


class SourceProvenanceInput(BaseModel):
    """Where a candidate comes from. It is shown to the person who decides, and proves nothing."""

    model_config = ConfigDict(extra="forbid")

    producer_name: str = Field(min_length=1, description="Who or what writes the candidate: your own name.")
    producer_type: str = Field(
        min_length=1, description="What kind of producer, for example agent or person."
    )
    source_reference: str = Field(
        min_length=1, description="Where the idea stands: a file with a line, an issue, a conversation."
    )
    external_source_id: str = Field(default="", description="The id of the source in the system it lives in.")
    source_version: str = Field(
        default="",
        description="The version of the source, for example a commit; another one is another proposal.",
    )
    repository_locator: str = Field(
        default="", description="The repository of the source, if it is not this one."
    )
    origin_classification: OriginName = Field(
        default="imported_unknown", description="Who wrote the content, as far as you know."
    )


class CandidateInput(BaseModel):
    """A decision that you suggest. Only a person makes a decision of it."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, description="A short name for the list of proposals.")
    statement: str = Field(
        min_length=1, description="The decision in one sentence; it becomes the text of the decision."
    )
    rationale: str = Field(default="", description="Why, and what speaks against it.")
    provenance: SourceProvenanceInput | None = Field(
        default=None, description="Where it comes from; needed unless the batch shares one."
    )
    scope_hints: list[str] = Field(
        default_factory=list, description="Words for what it is about; they become its retrieval scope."
    )
    architecture_context: dict[str, str] = Field(
        default_factory=dict, description="Facts about the place in the architecture, as names and texts."
    )
    related_decision_ids: list[str] = Field(
        default_factory=list, description="Ids of decisions that it touches, continues or contradicts."
    )


Candidate = Annotated[CandidateInput, Field(description="The decision to suggest.")]
Candidates = Annotated[
    list[CandidateInput], Field(description="The decisions to suggest; all are stored, or none.")
]
SharedProvenance = Annotated[
    SourceProvenanceInput | None,
    Field(description="Where the whole batch comes from; a candidate's own non-empty fields win."),
]
RecordId = Annotated[
    str, Field(description="A whole id: of a proposal (dprop-...) or of a decision (for example ADR-007).")
]
Query = Annotated[str, Field(description="Text to look for, whatever its case; empty finds everything.")]
ProposalStatus = Annotated[StatusName | None, Field(description="Only proposals with this status.")]
CanonicalLifecycle = Annotated[
    LifecycleName | None, Field(description="Only decisions with this lifecycle status.")
]
ProducerName = Annotated[str | None, Field(description="Only proposals of exactly this producer.")]
SourceReference = Annotated[
    str | None, Field(description="Only proposals with exactly this source reference.")
]
Origin = Annotated[OriginName | None, Field(description="Only proposals of this origin.")]
Context = Annotated[list[str] | None, Field(description="Words or sentences about the work at hand.")]
Paths = Annotated[list[str] | None, Field(description="Paths of the files at hand; compared as plain text.")]
