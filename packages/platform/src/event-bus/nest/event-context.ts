import { BaseRpcContext } from '@nestjs/microservices';
import type { Transaction } from '../../mongo/index.ts';

/** What `@Ctx()` gives an event handler. */
export class EventContext extends BaseRpcContext<[Transaction]> {
  /** Pass it to every write: the handler's effect commits with its inbox row or its offset. */
  get tx(): Transaction {
    return this.args[0];
  }
}
