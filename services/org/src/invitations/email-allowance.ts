import { Injectable } from '@nestjs/common';
import { emailLimits, quotaLimits, type PersonPrincipal } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Counts, type Counting } from '@parley/platform/counts';
import { jobScope, Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { networkHeader, Problem, type OrgId } from '@parley/protocol';
import { organisationRows, People } from '../rights/index.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const asking = jobScope('how old the organisation is that invited the sender of emails');

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
type Taken = { readonly sender: EmailSender; readonly count: number };
type Limit = { readonly key: string; readonly most: number; readonly detail: string };
type Request = { header(name: string): string | undefined };

/** Limits the invitation emails of people, networks and organisations in an hour. */
@Injectable()
export class EmailAllowance {
  private readonly organisations: Rows<typeof organisationRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly people: People,
    private readonly counts: Counts,
    private readonly clock: Clock,
  ) {
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
    const organisation = await this.organisations.within(asking.in(invitedBy)).findById(invitedBy);
    return organisation !== null && this.isOfToday(organisation.createdAt);
  }

  /**
   * Counts emails. Throws `org.email-limit-reached`, and counts nothing, above the limit of the organisation, person or
   * network. Call the returned function with the number of sent emails.
   */
  async take(scope: OrganisationScope, { sender, count }: Taken): Promise<(sent: number) => Promise<void>> {
    const counted: Counting[] = [];
    const settle = async (sent: number) => {
      await Promise.all(counted.map(({ add }) => add(sent - count)));
    };
    if (count === 0) return settle;
    for (const { key, most, detail } of await this.limitsOf(scope, sender)) {
      const hour = await this.counts.count(`emails:${key}`, hourMs, count);
      counted.push(hour);
      if (hour.count <= most) continue;
      await settle(0);
      const retryAfterSeconds = Math.ceil((hour.endsAt - this.clock.now().getTime()) / 1_000);
      throw new Problem('org.email-limit-reached', { detail, retryAfterSeconds });
    }
    return settle;
  }

  private async limitsOf(scope: OrganisationScope, sender: EmailSender): Promise<Limit[]> {
    const { ceiling } = await this.quotas.show(scope, { quota: 'emails', counted: [] });
    const { principal, network, isPlatformAdmin, isNew } = sender;
    const limits: Limit[] = [limitOf('Your organisation', { key: scope.orgId, most: ceiling })];
    // If a platform admin raised the organisation's limit, its members have no limits of their own.
    if (ceiling > quotaLimits.emails.ceiling) return limits;
    const key = principal.userId;
    if (!isPlatformAdmin)
      limits.push(
        isNew
          ? limitOf('On its first day a new account', { key, most: emailLimits.newAccount })
          : limitOf('You', { key, most: emailLimits.person }),
      );
    if (network) limits.push(limitOf('Your network', { key: network, most: emailLimits.network }));
    return limits;
  }
}

const limitOf = (who: string, { key, most }: Omit<Limit, 'detail'>): Limit => ({
  key,
  most,
  detail: `${who} can send ${most} invitation emails in an hour. ${quotaLimits.emails.whenFull}`,
});

export const messageNotAllowedYet = (): Problem =>
  new Problem('org.message-not-allowed-yet', {
    detail: 'Invite people without a message, verify your email address, or wait until your account is a day old.',
  });
