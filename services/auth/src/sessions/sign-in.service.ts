import { Injectable } from '@nestjs/common';
import { Problem, type Me, type signIn } from '@parley/contracts';
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
const triesKey = (email: string) => `auth:sign-in-tries:${hashSecret(email)}`;

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
   * One answer and one duration for a wrong password and an unknown address; ten wrong tries per account and quarter of
   * an hour.
   */
  async signIn({ body, startSession }: InputOf<typeof signIn>): Promise<Me> {
    const { email, password } = body;
    // Counted where counting works; a wrong password costs a slow hash in any case.
    const tries = await this.kv
      .increment(triesKey(email), { expiresAt: new Date(this.clock.now().getTime() + windowMs) })
      .catch(() => 0);
    if (tries > triesPerWindow)
      throw new Problem('platform.rate-limited', {
        retryAfterSeconds: windowMs / 1000,
        detail: 'Too many tries for this account. Try again in 15 minutes.',
      });
    const user = await this.users.findByEmail(signingIn, email);
    if (!(await verifyPassword(password, user?.passwordHash ?? null)) || !user)
      throw new Problem('auth.invalid-credentials');
    const session = await this.work.run(job('signs in', { onBehalfOf: user.id }), (tx) =>
      this.sessions.start(signingIn.of(user.id), tx),
    );
    await this.kv.delete(triesKey(email)).catch(() => undefined);
    const { passwordHash: _passwordHash, ...person } = user;
    startSession(session.id);
    return toMe(person, { registration: this.settings.registration, defaultOrgId: session.defaultOrgId });
  }
}
