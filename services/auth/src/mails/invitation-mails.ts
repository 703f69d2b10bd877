import { Injectable } from '@nestjs/common';
import type { InvitationId, makeInvitationLinks, queueInvitationMail } from '@parley/contracts';
import { randomSecret } from '@parley/platform/crypto';
import { Mailer } from '@parley/platform/mailer';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { UsersRepository } from '../users/index.ts';
import { MailsService, type Asked } from './mails.service.ts';

const inviting = jobScope('mails of invitations, for org');

/** What org has mailed to people whom an organisation invites. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly mails: MailsService,
    private readonly users: UsersRepository,
    private readonly mailer: Mailer,
    private readonly work: Work,
  ) {}

  async queue({
    principal,
    body,
  }: InputOf<typeof queueInvitationMail>): Promise<ResponseOf<typeof queueInvitationMail>> {
    const { eventId, to, inviterId, invitation } = body;
    const known = await this.users.findByEmail(inviting, to);
    const asked = askedFor({ ...body, orgId: invitation.orgId, locale: known?.locale ?? body.locale });
    const row = await this.work.run(principal, async (tx) => {
      if (invitation.round > 1) await this.withdraw(tx, invitation.invitationId, invitation.round);
      return this.mails.queue(tx, asked({ eventId, invitation, to, inviterId }));
    });
    if (row.tokenHash === null) throw new Problem('platform.conflict', { detail: 'The event led to another mail.' });
    return { mailId: row._id, tokenHash: row.tokenHash };
  }

  async makeLinks({
    principal,
    body,
  }: InputOf<typeof makeInvitationLinks>): Promise<ResponseOf<typeof makeInvitationLinks>> {
    if (this.mailer.delivers) return { links: [] };
    const { orgId, inviterId, people } = body;
    const known = await this.users.localesOf(
      inviting,
      people.map(({ to }) => to),
    );
    const rows = await this.work.run(principal, async (tx) => {
      for (const { invitationId, round } of people) if (round > 1) await this.withdraw(tx, invitationId, round);
      const wanted = people.map(({ eventId, invitationId, round, to }) => {
        const invitation = { orgId, invitationId, round };
        return askedFor({ ...body, locale: known.get(to) ?? body.locale })({ eventId, invitation, to, inviterId });
      });
      return this.mails.queueAll(tx, wanted);
    });
    const links = rows.flatMap((row) => {
      const [token, invitationId] = [this.mails.tokenOf(row), row.invitation?.invitationId];
      return token === null || row.tokenHash === null || invitationId === undefined
        ? []
        : [{ invitationId, token, tokenHash: row.tokenHash }];
    });
    return { links };
  }

  /** Nobody gets a link of it any more; given a round, of none before it. */
  async withdraw(tx: Transaction, id: InvitationId, before = Number.POSITIVE_INFINITY): Promise<void> {
    const old = (await this.mails.withLinkOf(tx, id)).filter(({ invitation }) => (invitation?.round ?? 0) < before);
    if (old.length > 0)
      await this.mails.withdraw(
        tx,
        old.map(({ _id }) => _id),
      );
  }
}

type About = Pick<
  InputOf<typeof makeInvitationLinks>['body'],
  'orgId' | 'organisation' | 'inviter' | 'locale' | 'endsAt'
> & { readonly message?: string | null | undefined };
type Whose = Pick<InputOf<typeof queueInvitationMail>['body'], 'eventId' | 'invitation' | 'to' | 'inviterId'>;

/** One mail of those that have the inviter, the organisation and the words in common. */
const askedFor =
  ({ orgId, organisation, inviter, locale, message = null, ...about }: About) =>
  ({ eventId, invitation, to, inviterId }: Whose): Asked => {
    const endsAt = new Date(about.endsAt);
    return {
      eventId,
      to,
      locale,
      content: { kind: 'invitation', organisation, inviter, endsAt, message },
      link: { token: randomSecret(), endsAt },
      invitation,
      sentFor: { orgId, person: inviterId },
    };
  };
