import { Controller } from '@nestjs/common';
import { answerAgain, sendMessage, stopGeneration, type Accepted, type ResponseOf } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { AnswerAgain } from './answer-again.ts';
import { SendMessage } from './send-message.ts';
import { StopGeneration } from './stop-generation.ts';

@Controller()
export class GenerationsController {
  constructor(
    private readonly sending: SendMessage,
    private readonly answering: AnswerAgain,
    private readonly stopping: StopGeneration,
  ) {}

  @Route(sendMessage)
  send(@Input() { scope, principal, params, body }: InputOf<typeof sendMessage>): Promise<Accepted> {
    return this.sending.send(scope, principal, { ...params, ...body });
  }

  @Route(answerAgain)
  answerAgain(
    @Input() { scope, principal, params, body }: InputOf<typeof answerAgain>,
  ): Promise<ResponseOf<typeof answerAgain>> {
    return this.answering.answer(scope, principal, { ...params, ...body });
  }

  @Route(stopGeneration)
  stop(
    @Input() { scope, principal, params }: InputOf<typeof stopGeneration>,
  ): Promise<ResponseOf<typeof stopGeneration>> {
    return this.stopping.stop(scope, principal.userId, params);
  }
}
