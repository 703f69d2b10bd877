import { Injectable } from '@nestjs/common';
import { quotaLimits, type AttemptLimit, type PersonPrincipal } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Counts, type Attempted } from '@parley/platform/counts';
import { jobScope, Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { networkHeader, Problem, type OrgId } from '@parley/protocol';
import { organisationRows, People } from '../rights/index.ts';

const dayMs = 24 * 3_600_000;
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
type Limit = { readonly limit: AttemptLimit; readonly who: string; readonly most?: number };
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
    const counted: Attempted[] = [];
    const settle = async (sent: number) => {
      await Promise.all(counted.map(({ takeBack }) => takeBack(count - sent)));
    };
    if (count === 0) return settle;
    try {
      for (const { limit, who, ...rest } of await this.limitsOf(scope, sender))
        counted.push(await this.counts.attempt(limit, who, { count, ...rest }));
    } catch (error) {
      await settle(0);
      throw error;
    }
    return settle;
  }

  private async limitsOf(scope: OrganisationScope, sender: EmailSender): Promise<Limit[]> {
    const { ceiling } = await this.quotas.show(scope, { quota: 'emails', counted: [] });
    const { principal, network, isPlatformAdmin, isNew } = sender;
    const limits: Limit[] = [{ limit: 'organisation-emails', who: scope.orgId, most: ceiling }];
    // If a platform admin raised the organisation's limit, its members have no limits of their own.
    if (ceiling > quotaLimits.emails.ceiling) return limits;
    const who = principal.userId;
    if (!isPlatformAdmin) limits.push({ limit: isNew ? 'new-account-emails' : 'person-emails', who });
    if (network) limits.push({ limit: 'network-emails', who: network });
    return limits;
  }
}

export const messageNotAllowedYet = (): Problem =>
  new Problem('org.message-not-allowed-yet', {
    detail: 'Invite people without a message, verify your email address, or wait until your account is a day old.',
  });
