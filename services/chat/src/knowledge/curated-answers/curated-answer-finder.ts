import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ChatbotId, Citation } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import type { OrganisationScope } from '@parley/platform/mongo';
import { tokenise } from '@parley/platform/text';
import { Reloads } from '../../reloads.ts';
import { closeEnough, closeness, type Known } from './closeness.ts';
import type { CuratedAnswerRow } from './curated-answer.collection.ts';
import { CuratedAnswersRepository } from './curated-answers.repository.ts';

/** A question of more words is no question that somebody has written an answer to. */
const mostTerms = 60;
/** Answers are looked up by the rarest words; the others still count. */
const candidateTerms = 6;
const candidatesPerTerm = 40;

/** A curated answer as a passage of which an answer is made. */
export type CuratedPassage = Omit<Citation, 'number' | 'curated'> & {
  readonly text: string;
  /** How close the question is, from 0 to 1. */
  readonly score: number;
  readonly curated: NonNullable<Citation['curated']>;
};

/**
 * Finds what an organisation wants to be said. Those without any are known by heart, so that their questions wait for no
 * store: what another process was told counts two seconds later.
 */
@Injectable()
export class CuratedAnswerFinder implements OnModuleInit {
  /** Had one at some time since the start; whether there still is one is looked up. */
  private readonly owners = new Set<string>();

  constructor(
    private readonly answers: CuratedAnswersRepository,
    private readonly reloads: Reloads,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.reloads.add(() => this.reload());
  }

  /** From now on this organisation is looked up. */
  noteOwner({ orgId }: OrganisationScope): void {
    this.owners.add(orgId);
  }

  async reload(): Promise<void> {
    for (const orgId of await this.answers.owners()) this.owners.add(orgId);
  }

  /** The closest one that is close enough, for whoever is answered by this chatbot; null where there is none. */
  async find(scope: OrganisationScope, chatbotId: ChatbotId, question: string): Promise<CuratedPassage | null> {
    if (!this.owners.has(scope.orgId)) return null;
    const terms = [...new Set(tokenise(question))];
    if (terms.length > mostTerms) return null;
    const known = await this.knownOf(scope, terms);
    const rarest = [...known.matching].toSorted(([, one], [, other]) => one - other).slice(0, candidateTerms);
    const found = await Promise.all(
      rarest.map(([term]) => this.answers.listOf(scope, { term, chatbotId, limit: candidatesPerTerm })),
    );
    const candidates = new Map(found.flat().map((row) => [row._id, row]));
    const scored = [...candidates.values()].map((row) => ({
      row,
      score: Math.max(...row.questions.map((other) => closeness(question, other, known))),
    }));
    const best = scored.toSorted((one, other) => other.score - one.score)[0];
    return best && best.score >= closeEnough ? toPassage(best.row, best.score) : null;
  }

  private async knownOf(scope: OrganisationScope, terms: readonly string[]): Promise<Known> {
    const [all, ...counts] = await Promise.all([
      this.answers.count(scope),
      ...terms.map((term) => this.answers.countOf(scope, term)),
    ]);
    return {
      all,
      matching: new Map(terms.map((term, at) => [term, counts[at] ?? 0] as const).filter(([, n]) => n > 0)),
    };
  }
}

/** A citation names document and passage: those of a curated answer follow from its own id. */
const toPassage = ({ _id, questions, text, author, editedAt }: CuratedAnswerRow, score: number): CuratedPassage => ({
  documentId: derivedId('document', ['curated', _id]),
  chunkId: derivedId('chunk', ['curated', _id]),
  documentName: questions[0] ?? '',
  heading: null,
  text,
  score,
  curated: { id: _id, by: author.name, at: editedAt.toISOString() },
});
