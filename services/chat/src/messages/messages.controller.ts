import { Controller } from '@nestjs/common';
import { listMessages, searchMessages, type ResponseOf } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { MessagesService } from './messages.service.ts';

@Controller()
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Route(listMessages)
  list(
    @Input() { scope, principal, params, query }: InputOf<typeof listMessages>,
  ): Promise<ResponseOf<typeof listMessages>> {
    return this.messages.list(scope, principal.userId, { ...params, ...query });
  }

  @Route(searchMessages)
  search(
    @Input() { scope, principal, query }: InputOf<typeof searchMessages>,
  ): Promise<ResponseOf<typeof searchMessages>> {
    return this.messages.search(scope, principal.userId, query);
  }
}
