import { Injectable } from '@nestjs/common';
import type { Accepted, answerAgain, discardMessage, Message, sendMessage, stopGeneration } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import type { InputOf } from '@parley/platform/service';
import { AnswerAgain } from './asking/answer-again.ts';
import { DiscardMessage } from './asking/discard-message.ts';
import { SendMessage } from './asking/send-message.ts';
import { StopGeneration } from './asking/stop-generation.ts';

/** Routes the commands about answers; each command has a file of its own. */
@Injectable()
export class GenerationsService {
  constructor(
    private readonly sending: SendMessage,
    private readonly answering: AnswerAgain,
    private readonly discarding: DiscardMessage,
    private readonly stopping: StopGeneration,
  ) {}

  send(input: InputOf<typeof sendMessage>): Promise<Accepted> {
    return this.sending.send(input, { ...input.params, ...input.body });
  }

  answerAgain(input: InputOf<typeof answerAgain>): Promise<ResponseOf<typeof answerAgain>> {
    return this.answering.answer(input, { ...input.params, ...input.body });
  }

  discard(input: InputOf<typeof discardMessage>): Promise<Message> {
    return this.discarding.discard(input, { ...input.params, ...input.body });
  }

  stop(input: InputOf<typeof stopGeneration>): Promise<ResponseOf<typeof stopGeneration>> {
    return this.stopping.stop(input, input.params);
  }
}
