import { Injectable } from '@nestjs/common';
import { mostLinksAtOnce, type invitePeople, type PersonPrincipal, type ShownLink } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { quotaFull, Quotas } from '@parley/platform/quotas';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { held, MembershipsRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { EmailAllowance, messageNotAllowedYet } from './email-allowance.ts';
import { toInvitation, verdicts } from './invitation.ts';
import { invitationQuota } from './invitation-quota.ts';
import { InvitationLinks } from './invitation-links.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { newInvitation, requestMails } from './new-invitation.ts';

/** Invitations that one transaction makes, each with its entry in the audit log and its events (ADR 0032). */
const peoplePerTurn = mostLinksAtOnce;
const ofMail = { kind: 'mail', label: null, domain: null, places: 1 } as const;
type Invited = ResponseOf<typeof invitePeople>;
type People = InputOf<typeof invitePeople>['body']['people'];

/** Invites many people by mail in one call. */
@Injectable()
export class PeopleInviter {
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly links: InvitationLinks,
    private readonly emails: EmailAllowance,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.quotas = new Quotas(mongo);
  }

  /**
   * Invites all of them or nobody: what is full refuses the call before the first one is invited. Only those whose
   * address, id or room somebody takes during the call are left out, and the answer says so.
   */
  async invite(input: InputOf<typeof invitePeople>): Promise<ResponseOf<typeof invitePeople>> {
    const { scope, principal, body, request } = input;
    const { people } = body;
    const sender = await this.emails.senderOf(principal, request);
    if (body.message && !sender.canWrite) throw messageNotAllowedYet();
    if ((await this.invitations.taken(scope, idsOf(people))).size > 0) throw conflict();
    const lines = verdicts(
      people.map(({ email }) => email),
      { members: new Set(), invited: new Set() },
    );
    const twice = lines.flatMap(({ address: email, verdict }) => (verdict === 'twice' ? [{ email, verdict }] : []));
    const others = people.filter((_person, at) => lines[at]?.verdict !== 'twice');
    const { fine } = await this.sorted(scope, others);
    await this.checkRoom(scope, fine.length);
    const settle = await this.emails.take(scope, { sender, count: fine.length });
    const answer: Invited & { links: ShownLink[] } = { items: [], leftOut: twice, links: [] };
    let sent = 0;
    try {
      for (let at = 0; at < others.length; at += peoplePerTurn) {
        const some = others.slice(at, at + peoplePerTurn);
        const { items, leftOut, rows } = await this.inviteSome(scope, principal, { ...body, people: some }).catch(
          (error: unknown) => {
            if (at === 0 || !(error instanceof Problem)) throw error;
            return { items: [], leftOut: some.map(takenFrom), rows: [] };
          },
        );
        sent += rows.length;
        answer.items.push(...items);
        answer.leftOut.push(...leftOut);
        answer.links.push(...(await this.links.show(scope, rows)));
      }
    } finally {
      await settle(sent);
    }
    return answer;
  }

  /** Refuses a call of several transactions before the first one. */
  private async checkRoom(scope: OrganisationScope, count: number): Promise<void> {
    held(await this.memberships.organisation(scope), count);
    const open = await this.quotas.show(scope, { quota: 'invitations', counted: [invitationQuota] });
    const { used, ceiling } = open;
    if (count > 0 && used! + count > ceiling) throw quotaFull('invitations', ceiling);
  }

  /** Which are there already, and of the rest, who can be invited. */
  private async sorted(scope: OrganisationScope, people: People, tx?: Transaction) {
    const made = await this.invitations.within(scope, tx).find({ _id: { $in: idsOf(people) } });
    const fresh = people.filter(({ id }) => !made.some((row) => row._id === id));
    const emails = fresh.map(({ email }) => email);
    const lines = verdicts(emails, await this.invitations.known(scope, emails, tx));
    const fine = fresh.filter((_person, at) => lines[at]?.verdict === 'fine');
    const leftOut = lines.flatMap(({ address: email, verdict }) => (verdict === 'fine' ? [] : [{ email, verdict }]));
    return { made, fine, leftOut };
  }

  private inviteSome(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    { people, ...rest }: InputOf<typeof invitePeople>['body'],
  ): Promise<Invited & { readonly rows: readonly InvitationRow[] }> {
    return untilNobodyWasFaster(people.length, async () => {
      const taken = await this.invitations.taken(scope, idsOf(people));
      const own = people.filter(({ id }) => !taken.has(id));
      return this.work.run(principal, async (tx) => {
        const { made, fine, leftOut } = await this.sorted(scope, own, tx);
        const now = this.clock.now();
        const rows = fine.map(({ id: _id, email }) =>
          newInvitation(scope.orgId, principal, { ...rest, ...ofMail, _id, email, now, isByPlatform: false }),
        );
        if (rows.length > 0) {
          await this.memberships.hold(scope, tx, rows.length);
          await this.invitations.insert(scope, tx, rows);
        }
        requestMails(tx, rows, 'invited');
        const others = people.filter(({ id }) => taken.has(id)).map(takenFrom);
        return { items: [...made, ...rows].map(toInvitation), leftOut: [...leftOut, ...others], rows };
      });
    });
  }
}

/**
 * Tries again when somebody took an address or id at the same moment: each time one more person is left out, so it ends
 * after as many attempts as there are people.
 */
async function untilNobodyWasFaster<Result>(people: number, act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await act();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (attempt === people) throw conflict(error);
    }
}

const takenFrom = ({ email }: People[number]) => ({ email, verdict: 'taken' as const });
const idsOf = (people: People) => people.map(({ id }) => id);

const conflict = (cause?: unknown): Problem =>
  new Problem('platform.conflict', { detail: 'Somebody has invited one of them just now.' }, { cause });
