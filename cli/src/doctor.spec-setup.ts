import { afterAll, describe, expect, test } from '@jest/globals';
import type { Installation } from '@parley/testing/distributed';
import type { KafkaGuard } from '@parley/testing/servers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'parley-guarded-'));
export const guard: KafkaGuard = {
  username: 'parley',
  password: 'three:quiet:herons',
  certificate: join(folder, 'broker.pem'),
};
/** What a process needs to get in. */
export const login = {
  PARLEY_KAFKA_TLS: 'true',
  PARLEY_KAFKA_LOGIN: `${guard.username}:${guard.password}`,
  NODE_EXTRA_CA_CERTS: guard.certificate,
};

/** What the doctor says of an installation whose Kafka has this guard and whose topics and schema are made. */
export function defineDoctor(installation: () => Installation): void {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const doctor = (over: Record<string, string>) =>
    installation().parley(['doctor'], { settings: { ...installation().shared, ...over } });

  describe('the doctor and Kafka behind TLS and a password', () => {
    test.each([
      ['SCRAM', {}],
      ['PLAIN', { PARLEY_KAFKA_SASL: 'plain' }],
    ])('gets in by %s', async (_mechanism, over) => {
      expect(await doctor(over)).toEqual({
        code: 0,
        output: expect.stringContaining('ok    Kafka: answers\nok    Topics: as declared'),
      });
    });

    test.each([
      [
        'a wrong password',
        { PARLEY_KAFKA_LOGIN: 'parley:hunter2' },
        /FAULT Kafka: cannot be reached \(.*authentication failed/i,
      ],
      ['no sign-in', { PARLEY_KAFKA_LOGIN: '' }, /FAULT Kafka: cannot be reached/],
      ['no TLS', { PARLEY_KAFKA_TLS: 'false' }, /FAULT Kafka: cannot be reached/],
      [
        'an unknown authority',
        { NODE_EXTRA_CA_CERTS: '' },
        /FAULT Kafka: cannot be reached \(.*self-signed certificate/,
      ],
    ])('with %s it stays out and says what to look at, not the password', async (_what, over, fault) => {
      const { code, output } = await doctor(over);
      expect([code, output]).toEqual([1, expect.stringMatching(fault)]);
      expect(output).toContain('PARLEY_KAFKA_LOGIN');
      expect(output).not.toMatch(/hunter2|herons/);
    });
  });

  test('faulty settings are named at once, and no value is shown', async () => {
    const faulty = await installation().parley(['doctor', 'chat'], {
      settings: {
        ...installation().settingsOf('chat-api'),
        PARLEY_ROLE: 'hunter2',
        PARLEY_PORT: 'hunter2',
        PARLEY_REDIS_URL: 'http://hunter2',
      },
    });
    expect([
      faulty.code,
      ['PARLEY_ROLE', 'PARLEY_PORT', 'PARLEY_REDIS_URL'].filter((name) => !faulty.output.includes(name)),
      faulty.output.includes('hunter2'),
    ]).toEqual([1, [], false]);
  });
}
