import { Injectable } from '@nestjs/common';
import { addressProofRequested, type proveAddress, type requestAddressProof } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import { derivedId } from '@parley/platform/ids';
import { Mailer } from '@parley/platform/mailer';
import { Mongo, type PersonScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type EventId, type ResponseOf } from '@parley/protocol';
import { MailsService } from '../mails/index.ts';
import { UsersRepository } from '../users/index.ts';
import { addressProofRows } from './address-proof.collection.ts';

const days = 7;
const dayMs = 24 * 3_600_000;
/** Between two mails to one person. */
const pauseMs = 60_000;

/** How somebody shows that the address of the account is theirs: a token that is mailed there comes back. */
@Injectable()
export class AddressProofsService {
  private readonly proofs: Rows<typeof addressProofRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly mails: MailsService,
    private readonly mailer: Mailer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.proofs = mongo.rows(addressProofRows);
  }

  async request({
    scope,
    principal,
  }: InputOf<typeof requestAddressProof>): Promise<ResponseOf<typeof requestAddressProof>> {
    await this.work.run(principal, async (tx) => tx.record(addressProofRequested, { userId: scope.userId }));
    return { sendsMail: this.mailer.delivers };
  }

  async prove({ scope, principal, body }: InputOf<typeof proveAddress>): Promise<void> {
    const _id = hashSecret(body.token);
    const isOver = await this.work.run(principal, async (tx) => {
      const proof = await this.proofs.within(scope, tx).findById(_id);
      if (!proof || !(await this.mails.isSent(proof.mailId))) return true;
      if (!(await this.proofs.within(scope, tx).delete({ _id, endsAt: { $gt: this.clock.now() } }))) return true;
      await this.mails.withdraw(tx, [proof.mailId]);
      await this.users.prove(scope, tx);
      return false;
    });
    if (isOver && !(await this.users.findById(scope))?.isProven)
      throw new Problem('auth.link-ended', {
        detail: 'It is for another account, was not sent by email, was replaced by a newer one, or has expired.',
      });
  }

  /** Makes the link that an event asks for and has it mailed; nothing without a mail server or where it is of no use. */
  async send(tx: Transaction, scope: PersonScope, eventId: EventId): Promise<void> {
    if (!this.mailer.delivers) return;
    const user = await this.users.findById(scope);
    if (!user || user.isProven) return;
    const proofs = this.proofs.within(scope, tx);
    const earlier = await proofs.find({}, { fields: ['mailId', 'createdAt'] });
    const now = this.clock.now();
    if (earlier.some(({ createdAt }) => now.getTime() - createdAt.getTime() < pauseMs)) return;
    await proofs.deleteMany({});
    await this.mails.withdraw(
      tx,
      earlier.map(({ mailId }) => mailId),
    );
    const link = { token: randomSecret(), endsAt: new Date(now.getTime() + days * dayMs) };
    const mailId = derivedId('mail', [eventId]);
    const { userId } = scope;
    await proofs.insert({ _id: hashSecret(link.token), userId, mailId, endsAt: link.endsAt, createdAt: now });
    const content = { kind: 'address-proof', name: user.name, days } as const;
    await this.mails.queue(tx, { eventId, to: user.email, locale: user.locale, content, link });
  }
}
