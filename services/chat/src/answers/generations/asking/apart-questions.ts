import { Injectable } from '@nestjs/common';
import type { ChatbotContent, CompletionId, ConversationId, GenerationId, TrialId } from '@parley/contracts';
import type { OrganisationScope, PlatformScope, Transaction } from '@parley/platform/mongo';
import type { PathMessage } from './path-messages.ts';

/** A program's request; its messages are the conversation so far. */
export type CompletionWishes = {
  readonly path: readonly PathMessage[];
  /** Added after the chatbot's own instructions. */
  readonly instructions: string;
  /** Null: the chatbot's value applies. */
  readonly temperature: number | null;
  /** Null: the model server's limit applies. */
  readonly maxOutputTokens: number | null;
  /** The answer ends before the first of these words. */
  readonly stops: readonly string[];
};

type Kept<Id> = { readonly _id: Id; readonly conversationId: ConversationId; readonly generationId: GenerationId };
/** Stores the questions of one kind, each for `keepMs`. */
export type ApartKeeper<Id> = {
  readonly keepMs: number;
  /** Returns some of the questions that were asked before this time. */
  listBefore(scope: PlatformScope, before: Date): Promise<readonly Kept<Id>[]>;
  delete(scope: PlatformScope, id: Id, tx: Transaction): Promise<void>;
};
type Keepers = {
  readonly trial: ApartKeeper<TrialId> & {
    /** Returns the chatbot content that answers the trial, as it was when the trial was asked. */
    content(scope: OrganisationScope, id: TrialId): Promise<ChatbotContent>;
  };
  readonly completion: ApartKeeper<CompletionId> & {
    find(scope: OrganisationScope, id: CompletionId): Promise<CompletionWishes>;
  };
};

/** Finds the keeper for each kind of question outside of chats. Each keeper registers itself when it is created. */
@Injectable()
export class ApartQuestions {
  private readonly keepers: { -readonly [Kind in keyof Keepers]?: Keepers[Kind] } = {};

  add<Kind extends keyof Keepers>(kind: Kind, keeper: Keepers[Kind]): void {
    this.keepers[kind] = keeper;
  }

  of<Kind extends keyof Keepers>(kind: Kind): Keepers[Kind] {
    const keeper = this.keepers[kind];
    if (!keeper) throw new Error(`Nothing keeps questions of the kind ${kind}.`);
    return keeper;
  }
}
