import { Injectable } from '@nestjs/common';
import { emailLimits, quotaLimits, type PersonPrincipal } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { networkHeader, Problem, type OrgId } from '@parley/protocol';
import { organisationRows, People } from '../rights/index.ts';
import { emailCountRows, emailSenderRows } from './email-count.collection.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const counting = jobScope('invitation emails of people and networks');

/** The person who sends invitation emails; the network is null where the BFF does not name it. */
export type EmailSender = {
  readonly principal: PersonPrincipal;
  readonly network: string | null;
  readonly isPlatformAdmin: boolean;
  /** Less than a day old, and nobody invited them but an organisation that is no older. */
  readonly isNew: boolean;
  /** Has verified the address, or had the account for a day. */
  readonly canWrite: boolean;
};
type Request = { header(name: string): string | undefined };

/**
 * Limits the invitation emails of people, networks and organisations in an hour. Counts in the transaction that invites,
 * so a refused call counts nothing.
 */
@Injectable()
export class EmailAllowance {
  private readonly counts: Rows<typeof emailCountRows>;
  private readonly senders: Rows<typeof emailSenderRows>;
  private readonly organisations: Rows<typeof organisationRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly people: People,
    private readonly clock: Clock,
  ) {
    this.counts = mongo.rows(emailCountRows);
    this.senders = mongo.rows(emailSenderRows);
    this.organisations = mongo.rows(organisationRows);
    this.quotas = new Quotas(mongo);
  }

  async senderOf(principal: PersonPrincipal, request: Request): Promise<EmailSender> {
    const { createdAt, invitedBy, isProven } = await this.people.find(principal.userId);
    const isPlatformAdmin = principal.platformRole === 'admin';
    // With an earlier version of auth everybody has been here for long.
    const isYoung = createdAt !== undefined && this.isOfToday(createdAt);
    return {
      principal,
      network: request.header(networkHeader) ?? null,
      isPlatformAdmin,
      isNew: isYoung && !isPlatformAdmin && (await this.hasNewInviter(invitedBy)),
      canWrite: !isYoung || isProven || isPlatformAdmin,
    };
  }

  private isOfToday(at: Date): boolean {
    return this.clock.now().getTime() - at.getTime() < dayMs;
  }

  /** Returns true where nobody invited them, or an organisation that they could have created for it. */
  private async hasNewInviter(invitedBy: OrgId | null | undefined): Promise<boolean> {
    if (!invitedBy) return invitedBy === null;
    const organisation = await this.organisations.within(counting.in(invitedBy)).findById(invitedBy);
    return organisation !== null && this.isOfToday(organisation.createdAt);
  }

  /** Counts emails; `org.email-limit-reached` above the limit of the organisation, person or network. */
  async take(scope: OrganisationScope, tx: Transaction, of: { sender: EmailSender; count: number }): Promise<void> {
    const { sender, count } = of;
    if (count === 0) return;
    const now = this.clock.now();
    const hour = Math.floor(now.getTime() / hourMs);
    await this.countOrganisation(scope, tx, { hour, count });
    const { ceiling } = await this.quotas.read(scope, { quota: 'emails' }, tx);
    // A platform admin trusts the organisation with more: then the people in it, too.
    if (ceiling > quotaLimits.emails.ceiling) return;
    const { principal, network, isPlatformAdmin, isNew } = sender;
    const most = isNew ? emailLimits.newAccount : emailLimits.person;
    const person = { key: `person ${principal.userId}`, most, detail: isNew ? tooManyOfNew : tooManyOfPerson };
    if (!isPlatformAdmin) await this.countSender(tx, { ...person, hour, count });
    const place = { most: emailLimits.network, detail: tooManyOfNetwork };
    if (network) await this.countSender(tx, { key: `network ${network}`, ...place, hour, count });
  }

  private async countOrganisation(
    scope: OrganisationScope,
    tx: Transaction,
    { hour, count }: { readonly hour: number; readonly count: number },
  ): Promise<void> {
    const { orgId } = scope;
    const rows = this.counts.within(scope, tx);
    const known = await rows.findById(orgId);
    const counted = known?.hour === hour ? known.count : 0;
    const next = { hour, count: counted + count };
    if (known) await rows.update({ _id: orgId }, { $set: next });
    else await rows.insert({ _id: orgId, orgId, ...next });
    await this.quotas.add(scope, tx, { quota: 'emails', by: count, counted });
  }

  private async countSender(
    tx: Transaction,
    { key, hour, count, most, detail }: { key: string; hour: number; count: number; most: number; detail: string },
  ): Promise<void> {
    const rows = this.senders.within(counting, tx);
    const known = await rows.findById(key);
    const next = { hour, count: (known?.hour === hour ? known.count : 0) + count, at: this.clock.now() };
    if (next.count > most) throw this.tooMany(detail, hour);
    if (known) await rows.update({ _id: key }, { $set: next });
    else await rows.insert({ _id: key, ...next });
  }

  private tooMany(detail: string, hour: number): Problem {
    const leftMs = (hour + 1) * hourMs - this.clock.now().getTime();
    return new Problem('org.email-limit-reached', { detail, retryAfterSeconds: Math.ceil(leftMs / 1000) });
  }
}

const raise = 'Send the others later, or ask a platform admin to raise the limit of the organisation.';
const tooManyOfPerson = `You can send ${emailLimits.person} invitation emails in an hour. ${raise}`;
const tooManyOfNetwork = `Your network can send ${emailLimits.network} invitation emails in an hour. ${raise}`;
const tooManyOfNew = `A new account can send ${emailLimits.newAccount} invitation emails in an hour during its first day. ${raise}`;

export const messageNotAllowedYet = (): Problem =>
  new Problem('org.message-not-allowed-yet', {
    detail: 'Invite people without a message, verify your email address, or wait until your account is a day old.',
  });
