import { Injectable } from '@nestjs/common';
import { mostLinksAtOnce, type invitePeople, type ShownLink } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { MembershipsRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { EmailAllowance, messageNotAllowedYet, type EmailSender } from './email-allowance.ts';
import { toInvitation, verdicts } from './invitation.ts';
import { InvitationLinks } from './invitation-links.ts';
import { InvitationReservations } from './invitation-reservations.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { newInvitation, requestMails } from './new-invitation.ts';

/** Invitations that one transaction makes, each with its entry in the audit log and its events (ADR 0032). */
const peoplePerTurn = mostLinksAtOnce;
const ofMail = { kind: 'mail', label: null, domain: null, places: 1 } as const;
type Invited = ResponseOf<typeof invitePeople>;
type People = InputOf<typeof invitePeople>['body']['people'];
/** Room for all people of one call, and whom it is for. */
type Held = { readonly id: string; readonly emails: ReadonlySet<string> };

/** Invites many people by mail in one call. */
@Injectable()
export class PeopleInviter {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly reservations: InvitationReservations,
    private readonly memberships: MembershipsRepository,
    private readonly links: InvitationLinks,
    private readonly emails: EmailAllowance,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /**
   * Invites all of them or nobody: what is full refuses the call before the first one is invited. Only an address or id
   * that somebody takes during the call is left out, and the answer says so.
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
    const settle = await this.emails.take(scope, { sender, count: fine.length });
    const answer: Invited & { links: ShownLink[] } = { items: [], leftOut: twice, links: [] };
    let sent = 0;
    let held: Held | null = null;
    try {
      held = others.length > peoplePerTurn ? await this.reserve(scope, sender, others) : null;
      for (let at = 0; at < others.length; at += peoplePerTurn) {
        const part = { ...body, people: others.slice(at, at + peoplePerTurn) };
        const { items, leftOut, rows } = await this.inviteSome(scope, sender, { part, held });
        answer.items.push(...items);
        answer.leftOut.push(...leftOut);
        sent += rows.length;
        answer.links.push(...(await this.links.show(scope, rows)));
      }
    } finally {
      await settle(sent);
      // The upkeep gives back the rest where this fails.
      if (held) await this.reservations.release(scope, held.id).catch(() => undefined);
    }
    return answer;
  }

  private reserve(scope: OrganisationScope, sender: EmailSender, people: People): Promise<Held> {
    return this.work.run(sender.principal, async (tx) => {
      const { fine } = await this.sorted(scope, people, tx);
      return {
        id: await this.reservations.hold(scope, tx, fine.length),
        emails: new Set(fine.map(({ email }) => email)),
      };
    });
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
    sender: EmailSender,
    {
      part: { people, ...rest },
      held,
    }: { readonly part: InputOf<typeof invitePeople>['body']; readonly held: Held | null },
  ): Promise<Invited & { readonly rows: readonly InvitationRow[] }> {
    const { principal } = sender;
    return untilNobodyWasFaster(people.length, async () => {
      const taken = await this.invitations.taken(scope, idsOf(people));
      const own = people.filter(({ id }) => !taken.has(id));
      return this.work.run(principal, async (tx) => {
        const { made, fine, leftOut } = await this.sorted(scope, own, tx);
        // Their invitation was revoked after the room was held, and still counts as open.
        const late = held ? fine.filter(({ email }) => !held.emails.has(email)) : [];
        const invited = fine.filter((person) => !late.includes(person));
        const rows = invited.map(({ id, email }) =>
          newInvitation(scope.orgId, principal, {
            ...rest,
            ...ofMail,
            _id: id,
            email,
            now: this.clock.now(),
            isByPlatform: false,
          }),
        );
        if (rows.length > 0) await this.insert(scope, tx, { rows, held });
        requestMails(tx, rows, 'invited');
        const lateOnes = late.map(({ email }) => ({ email, verdict: 'invited' as const }));
        const takenOnes = people.flatMap(({ id, email }) =>
          taken.has(id) ? [{ email, verdict: 'taken' as const }] : [],
        );
        return { items: [...made, ...rows].map(toInvitation), leftOut: [...leftOut, ...lateOnes, ...takenOnes], rows };
      });
    });
  }

  private async insert(
    scope: OrganisationScope,
    tx: Transaction,
    { rows, held }: { rows: readonly InvitationRow[]; held: Held | null },
  ): Promise<void> {
    if (held) {
      await this.reservations.use(scope, tx, { id: held.id, count: rows.length });
      return this.invitations.insertHeld(scope, tx, rows);
    }
    await this.memberships.hold(scope, tx, rows.length);
    await this.invitations.insert(scope, tx, rows);
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

const idsOf = (people: People) => people.map(({ id }) => id);

const conflict = (cause?: unknown): Problem =>
  new Problem('platform.conflict', { detail: 'Somebody has invited one of them just now.' }, { cause });
