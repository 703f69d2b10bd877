import { Injectable } from '@nestjs/common';
import { signInLimits, type Me, type signIn } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { TurnQueue } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { networkHeader, Problem } from '@parley/protocol';
import { AuthSettings } from '../auth.config.ts';
import { verifyPassword } from '../passwords/index.ts';
import { SecurityLog, type FailedSignIn } from '../security-log/index.ts';
import { toMe, UsersRepository, type User } from '../users/index.ts';
import { browserOf, type Browser } from './session.ts';
import { SessionsService, type StartedSession } from './sessions.service.ts';

const signingIn = jobScope('signing in');

type KnownUser = User & { readonly passwordHash: string | null };

@Injectable()
export class SignInService {
  /** A network is a flow here, and an account is who waits in it. */
  private readonly comparing = new TurnQueue({ all: signInLimits.atOnce }, signInLimits.waiting);

  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly work: Work,
    private readonly counts: Counts,
    private readonly settings: AuthSettings,
    private readonly log: SecurityLog,
    private readonly platform: Platform,
  ) {}

  /**
   * One answer and one duration for a wrong password and an unknown address; ten wrong tries per account, network and
   * quarter of an hour. Those that get past this limit are counted in the security log. Passwords are compared by turns,
   * so that wrong ones of other accounts refuse no right one.
   */
  async signIn({ body, request, startSession }: InputOf<typeof signIn>): Promise<Me> {
    const { email, password } = body;
    // Counted where counting works; a wrong password costs a slow hash in any case.
    // By network too: whoever guesses from elsewhere locks nobody out.
    const network = request.header(networkHeader) ?? '';
    const counted = await this.counts.attempt('sign-in', `${email} ${network}`);
    const user = await this.users.findByEmail(signingIn, email);
    const compare = () => verifyPassword(password, user?.passwordHash ?? null);
    const isRight = this.comparing.run({ flow: network, organisation: '', person: email }, compare);
    const session = await this.start(user, isRight, browserOf(request)).catch(async (error: unknown) => {
      if (isRefused(error)) await this.countFailure({ email, userId: user?.id ?? null, network: network || null });
      throw error;
    });
    await counted.forget();
    startSession(session.id);
    return toMe(session.person, { registration: this.settings.registration, defaultOrgId: session.defaultOrgId });
  }

  private async start(
    user: KnownUser | null,
    isRight: Promise<boolean>,
    browser: Browser,
  ): Promise<StartedSession & { readonly person: User }> {
    // Read while the password is compared, which takes longer.
    const others = user && this.sessions.others(signingIn.of(user.id));
    others?.catch(() => undefined);
    if (!(await isRight) || !user || !others) throw new Problem('auth.invalid-credentials');
    const { passwordHash, ...person } = user;
    const own = signingIn.of(user.id);
    const session = await this.work.run(job('signs in', { onBehalfOf: user.id }), async (tx) => {
      // Comparing takes long enough for the password to be changed meanwhile, which ends all sessions but not this one.
      if ((await this.users.passwordHash(own, tx)) !== passwordHash) throw new Problem('auth.invalid-credentials');
      return this.sessions.start(own, tx, { ...browser, others });
    });
    return { ...session, person };
  }

  /** A log that can't be written changes no answer. */
  private async countFailure(failed: FailedSignIn): Promise<void> {
    await this.log.countFailure(failed).catch((error: unknown) => {
      this.platform.logger.warn({ err: error }, 'a failed sign-in was not recorded in the security log');
    });
  }
}

const isRefused = (error: unknown): boolean => error instanceof Problem && error.code === 'auth.invalid-credentials';
