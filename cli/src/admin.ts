import { createPlatformAdmin } from '@parley/auth';
import { locales, type Locale } from '@parley/contracts';
import { databaseUrl } from '@parley/platform/process-config';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { operatorPlatform } from './operator-platform.ts';

/** The first platform admin of a distributed installation; the password comes from standard input. */
export async function createAdmin(
  mongoUrl: string,
  person: { email: string; name: string; locale: string },
): Promise<void> {
  const locale = locales.find((known) => known === person.locale);
  if (!locale) throw new Error(`There is no language ${person.locale}: choose one of ${locales.join(', ')}.`);
  const password = await readPassword();
  await createPlatformAdmin(await operatorPlatform(databaseUrl(mongoUrl, 'auth'), 'auth'), {
    ...person,
    locale: locale satisfies Locale,
    password,
  });
}

/**
 * The first line of standard input: never an argument, which other users of the machine can see. Typed, it is not
 * shown.
 */
async function readPassword(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) process.stderr.write('Password (12 characters or more): ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  try {
    for await (const line of lines) return line;
    throw new Error('Give the password on standard input.');
  } finally {
    lines.close();
    if (stdin.isTTY) process.stderr.write('\n');
  }
}
