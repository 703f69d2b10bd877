import { Injectable } from '@nestjs/common';
import { networkHeader, Problem, sessionHeader, type Me, type signIn } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret } from '@parley/platform/crypto';
import { Kv } from '@parley/platform/kv';
import { jobScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { AuthSettings } from '../auth.config.ts';
import { verifyPassword } from '../passwords/index.ts';
import { toMe, UsersRepository } from '../users/index.ts';
import { SessionsService } from './sessions.service.ts';

const signingIn = jobScope('signing in');
const triesPerWindow = 10;
const windowMs = 15 * 60_000;
/** By network too: whoever guesses from elsewhere locks nobody out. */
const triesKey = (email: string, network: string, window: number) =>
  `auth:sign-in-tries:${hashSecret(`${email} ${network}`)}:${window}`;

@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly kv: Kv,
    private readonly settings: AuthSettings,
  ) {}

  /**
   * One answer and one duration for a wrong password and an unknown address; ten wrong tries per account, network and
   * quarter of an hour.
   */
  async signIn({ body, request, startSession }: InputOf<typeof signIn>): Promise<Me> {
    const { email, password } = body;
    // Counted where counting works; a wrong password costs a slow hash in any case.
    const now = this.clock.now().getTime();
    const window = Math.floor(now / windowMs);
    const endsAt = (window + 1) * windowMs;
    const key = triesKey(email, request.header(networkHeader) ?? '', window);
    const tries = await this.kv.increment(key, { expiresAt: new Date(endsAt) }).catch(() => 0);
    if (tries > triesPerWindow)
      throw new Problem('platform.rate-limited', {
        retryAfterSeconds: Math.ceil((endsAt - now) / 1000),
        detail: 'Too many wrong tries for this account from your network.',
      });
    const user = await this.users.findByEmail(signingIn, email);
    if (!(await verifyPassword(password, user?.passwordHash ?? null)) || !user)
      throw new Problem('auth.invalid-credentials');
    const own = signingIn.of(user.id);
    const session = await this.work.run(job('signs in', { onBehalfOf: user.id }), async (tx) => {
      // Comparing takes long enough for the password to be changed meanwhile, which ends all sessions but not this one.
      if ((await this.users.passwordHash(own, tx)) !== user.passwordHash) throw new Problem('auth.invalid-credentials');
      return this.sessions.start(own, tx, request.header(sessionHeader));
    });
    await this.kv.delete(key).catch(() => undefined);
    const { passwordHash: _passwordHash, ...person } = user;
    startSession(session.id);
    return toMe(person, { registration: this.settings.registration, defaultOrgId: session.defaultOrgId });
  }
}
