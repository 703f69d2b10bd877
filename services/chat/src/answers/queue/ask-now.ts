import { Injectable } from '@nestjs/common';
import type { AskedFile, ConversationId, WaitingFile } from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import { FileUses } from '../../knowledge/files/index.ts';
import type { Viewer } from '../../conversations/index.ts';
import { AnswerAgain, SendMessage } from '../generations/index.ts';
import type { Wish } from './queued-question.ts';

type Asked = Wish & {
  readonly conversationId: ConversationId;
  /** Called in the transaction that asks; if it throws, the question isn't asked. */
  readonly take?: (tx: Transaction) => Promise<void>;
};

/** Asks immediately: a new question, another answer or a continuation. */
@Injectable()
export class AskNow {
  constructor(
    private readonly sending: SendMessage,
    private readonly answering: AnswerAgain,
    private readonly uses: FileUses,
  ) {}

  /** Returns the files of a question for the queue; throws if the question couldn't be asked with them now. */
  async waiting(viewer: Viewer, files: readonly AskedFile[]): Promise<WaitingFile[]> {
    return files.length === 0 ? [] : this.uses.waiting(viewer, files);
  }

  /**
   * Idempotent: repeating the call with the same ids stores nothing. Throws `chat.generation-running` while the
   * conversation has a running answer.
   */
  async ask(viewer: Viewer, asked: Asked): Promise<void> {
    if (asked.kind === 'question') await this.sending.send(viewer, asked);
    else await this.answering.answer(viewer, asked);
  }
}
