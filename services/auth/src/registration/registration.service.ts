import { Injectable } from '@nestjs/common';
import {
  attemptLimits,
  checkInvitation,
  userRegistered,
  type Me,
  type register,
  type RegistrationInfo,
} from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import { jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Platform, type InputOf } from '@parley/platform/service';
import { Problem, type BodyOf, type OrgId } from '@parley/protocol';
import { AuthSettings } from '../auth.config.ts';
import { hashPassword, isTooCommon } from '../passwords/index.ts';
import { browserOf, SessionsService, type Browser, type StartedSession } from '../sessions/index.ts';
import { toMe, UsersRepository, type User } from '../users/index.ts';

const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;
const registering = jobScope('registering: nobody is signed in yet');

@Injectable()
export class RegistrationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly work: Work,
    private readonly counts: Counts,
    private readonly settings: AuthSettings,
    private readonly platform: Platform,
  ) {}

  async info(): Promise<RegistrationInfo> {
    const isSetupDone = await this.users.isSetupDone(registering);
    const contacts = isSetupDone ? await this.users.platformAdminNames(registering) : [];
    return { mode: this.settings.registration, setupPending: !isSetupDone, contacts };
  }

  async register({ body, request, startSession }: InputOf<typeof register>): Promise<Me> {
    const { user, session } = await this.makeAccount(body, browserOf(request));
    startSession(session.id);
    return toMe(user, { registration: this.settings.registration, defaultOrgId: null });
  }

  /**
   * Makes the account, its first session and the events in one transaction. A registration by
   * invitation counts against the invitation's maximum uses, any other one against its network's limit, because 500 colleagues
   * can share an address. A failed registration isn't counted.
   */
  async makeAccount(
    input: BodyOf<typeof register>,
    browser?: Browser,
  ): Promise<{ user: User; session: StartedSession }> {
    const isSetup = this.isSetup(input.setupToken);
    const invited = isSetup ? null : await this.invited(input);
    if (await isTooCommon(input.password, { ...input, organisation: invited?.organisation })) {
      throw new Problem('auth.password-too-common', {
        detail: 'Choose one that is harder to guess, for instance four unrelated words.',
      });
    }
    if (!isSetup && invited === null)
      await this.counts.attempt('registration', browser?.network ?? '', { most: this.settings.registrationsPerHour });
    const use = await this.counted(input, invited);
    const passwordHash = await hashPassword(input.password);
    const user: User = {
      id: input.id,
      email: input.email,
      name: input.name,
      picture: null,
      locale: input.locale,
      timeZone: null,
      isProven: invited?.isProven ?? false,
      platformRole: isSetup ? 'admin' : null,
      version: 1,
    };
    const registered = this.work.run(job('registers', { onBehalfOf: user.id }), async (tx) => {
      if (isSetup && !(await this.users.claimSetup(registering, user.id, tx))) throw usedSetupLink();
      const scope = registering.of(user.id);
      await this.users.create(
        scope,
        { ...user, passwordHash, invitedBy: isSetup ? undefined : invitedBy(invited) },
        tx,
      );
      tx.record(userRegistered, { userId: user.id, platformAdmin: isSetup });
      return this.sessions.start(scope, tx, browser);
    });
    const session = await registered.catch(async (error: unknown) => {
      await use?.takeBack();
      throw error;
    });
    return { user, session };
  }

  /** Throws `org.invitation-ended` when as many have registered by the invitation today as can use it. */
  private async counted({ invitation = '' }: BodyOf<typeof register>, invited: Invited | null) {
    if (invited?.maxUses === undefined) return null;
    return this.counts.attempt('invitation', invitation, { most: invited.maxUses }).catch((cause: unknown) => {
      throw new Problem('org.invitation-ended', { detail: attemptLimits.invitation.detail }, { cause });
    });
  }

  /** True when this registration makes the first platform admin. */
  private isSetup(setupToken: string | undefined): boolean {
    if (setupToken === undefined) return false;
    const expected = this.settings.setupToken;
    if (expected !== null && hashSecret(setupToken) === hashSecret(expected)) return true;
    throw usedSetupLink();
  }

  /** Throws unless the mode lets this person in; null without an invitation. */
  private async invited({ email, invitation: token }: BodyOf<typeof register>): Promise<Invited | null> {
    const { registration: mode } = this.settings;
    if (mode === 'closed') throw new Problem('auth.registration-closed');
    if (token === undefined) {
      if (mode === 'open') return null;
      throw new Problem('auth.invitation-required');
    }
    const invited = await this.platform.peers.call(checkInvitation, { body: { token } }, asking);
    if (invited.email !== null && invited.email !== email) throw new Problem('org.invitation-for-another');
    const { maxUses, orgId = null, organisation, provesAddress = false } = invited;
    return { isProven: provesAddress, maxUses, orgId, organisation };
  }
}

type Invited = {
  /** Only who reads the mail of the address can have its secret; unknown, as false, where org is of an earlier version. */
  readonly isProven: boolean;
  /** Undefined if the org service runs an earlier version. */
  readonly maxUses: number | undefined;
  /** Null where org is of an earlier version. */
  readonly orgId: OrgId | null;
  /** What the organisation is called; unknown where org is of an earlier version. */
  readonly organisation: string | undefined;
};

/** Returns whose invitation it was, null without one; undefined where an earlier version of org doesn't say. */
const invitedBy = (invited: Invited | null): OrgId | null | undefined => invited && (invited.orgId ?? undefined);

const usedSetupLink = (): Problem =>
  new Problem('auth.setup-token-invalid', {
    detail:
      'The link was used, or is from an earlier start. The newest one is in the line that Parley printed at its start.',
  });
