import { BaseRpcContext } from '@nestjs/microservices';
import type { OrganisationScope, Transaction } from '../../../rows/mongo/index.ts';

/** The context that `@Ctx()` gives an event handler. */
export class EventContext extends BaseRpcContext<[Transaction, OrganisationScope | null]> {
  /** Pass it to every write: the handler's effect, its recorded events and its inbox row commit together. */
  get tx(): Transaction {
    return this.args[0];
  }

  /** The event's organisation. Throws if the event belongs to none, and for a batch. */
  get scope(): OrganisationScope {
    const [, scope] = this.args;
    if (!scope) throw new Error('There is no organisation to this event.');
    return scope;
  }
}
