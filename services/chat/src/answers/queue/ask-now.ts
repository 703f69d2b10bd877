import { Injectable } from '@nestjs/common';
import type { AskedFile, ConversationId, WaitingFile } from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import { FileUses } from '../../knowledge/files/index.ts';
import type { Viewer } from '../../conversations/index.ts';
import { AnswerAgain, SendMessage } from '../generations/index.ts';
import type { Wish } from './queued-question.ts';

type Asked = Wish & {
  readonly conversationId: ConversationId;
  /** In the transaction that asks; where it throws, nothing is asked. */
  readonly take?: (tx: Transaction) => Promise<void>;
};

/** Asks without waiting, whatever kind it is of. */
@Injectable()
export class AskNow {
  constructor(
    private readonly sending: SendMessage,
    private readonly answering: AnswerAgain,
    private readonly uses: FileUses,
  ) {}

  /** The files of a question that will be asked; refuses what could not be asked now. */
  async waiting(viewer: Viewer, files: readonly AskedFile[]): Promise<WaitingFile[]> {
    return files.length === 0 ? [] : this.uses.waiting(viewer, files);
  }

  /** Repeating it with the same ids writes nothing. `chat.generation-running` while an answer is written there. */
  async ask(viewer: Viewer, asked: Asked): Promise<void> {
    if (asked.kind === 'question') await this.sending.send(viewer, asked);
    else await this.answering.answer(viewer, asked);
  }
}
