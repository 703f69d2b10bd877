import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { Installation, processNames, startInfrastructure, type Infrastructure } from '@parley/testing/distributed';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'parley-guarded-'));
const guard = { username: 'parley', password: 'three:quiet:herons', certificate: join(folder, 'broker.pem') };
const login = {
  PARLEY_KAFKA_TLS: 'true',
  PARLEY_KAFKA_LOGIN: `${guard.username}:${guard.password}`,
  NODE_EXTRA_CA_CERTS: guard.certificate,
};

const servers = await startInfrastructure({ guard });
if ('skipped' in servers) describeSkipped('Kafka behind TLS and a password', servers);
else describe('Kafka behind TLS and a password', () => defineSuite(servers));

function defineSuite(running: Infrastructure): void {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.prepare({ infrastructure: running, settings: login });
    await installation.setUp();
  });
  afterAll(async () => {
    await installation.close();
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const doctor = (over: Record<string, string>) =>
    installation.parley(['doctor'], { settings: { ...installation.shared, ...over } });

  test.each([
    ['SCRAM', {}],
    ['PLAIN', { PARLEY_KAFKA_SASL: 'plain' }],
  ])('the doctor gets in by %s', async (_mechanism, over) => {
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
    ['an unknown authority', { NODE_EXTRA_CA_CERTS: '' }, /FAULT Kafka: cannot be reached \(.*self-signed certificate/],
  ])('with %s it stays out and says what to look at, not the password', async (_what, over, fault) => {
    const { code, output } = await doctor(over);
    expect([code, output]).toEqual([1, expect.stringMatching(fault)]);
    expect(output).toContain('PARLEY_KAFKA_LOGIN');
    expect(output).not.toMatch(/hunter2|herons/);
  });

  test('all seven processes get in: an answer is written, and billed from its event', async () => {
    const processes = await Promise.all(processNames.map((name) => installation.start(name)));
    await eventually(
      async () => expect(await Promise.all(processes.map((each) => each.isReady()))).toEqual(processes.map(() => true)),
      'all should be ready',
      60_000,
    );
    const person = new ParleyClient(installation.publicUrl);
    await person.register({ name: 'Ada', email: 'ada@example.com', password: 'three quiet herons' });
    await person.createOrganisation('Engines');
    const conversationId = newId('conversation');
    await person.send(conversationId, 'What can you do?');
    await eventually(
      async () => expect((await person.ledgerEntries()).map((entry) => entry.conversationId)).toEqual([conversationId]),
      'the answer should be billed',
      30_000,
    );
  });
}
