import { attemptLimits } from '@parley/contracts';
import { mailConfig } from '@parley/platform/mailer';
import { z } from 'zod';

export const registrationMode = z.enum(['closed', 'invitation', 'open']);

/** What auth reads from its surroundings. */
export const authConfig = z.object({
  PARLEY_REGISTRATION: registrationMode
    .default('invitation')
    .describe('Who can register: `closed`, `invitation` or `open`.'),
  PARLEY_REGISTRATIONS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(attemptLimits.registration.most)
    .describe('Registrations without an invitation per hour and client network (/24, IPv6 /64).'),
  ...mailConfig.shape,
});

/** Settings of a running auth service. */
export abstract class AuthSettings {
  abstract readonly registration: z.infer<typeof registrationMode>;
  /** Without an invitation, from one network. */
  abstract readonly registrationsPerHour: number;
  /**
   * Registering with it makes the first platform admin; null once there is one or where the operator uses the command
   * line.
   */
  abstract readonly setupToken: string | null;
}

/** Where people reach this installation, without a slash at its end: links in mails begin with it. */
export abstract class PublicAddress {
  abstract url(): Promise<string>;
}
