import { DeadLetters, type DeadLetter } from '@parley/platform/event-bus';
import { Mongo } from '@parley/platform/mongo';
import { openDatabases } from './databases.ts';
import { owners, type Owner } from './migrate-schema.ts';

/** Which letters: of one service or of all that react to events; in a data folder or in MongoDB. */
export type LetterOptions = { readonly service?: string; readonly data?: string };

/** Services that react to events: only they have dead letters. */
export const reactingOwners = (Object.keys(owners) as Owner[]).filter((name) => owners[name].group !== null);
const mostShown = 100;

/** One line for each letter, the newest first. */
export async function listLetters(options: LetterOptions): Promise<string[]> {
  const lines = await withLetters(options, async (letters, service) => {
    const [shown, count] = await Promise.all([letters.list(mostShown), letters.count()]);
    const more = count > shown.length ? [`${service}: and ${count - shown.length} older ones`] : [];
    return [...shown.map((letter) => lineOf(service, letter)), ...more];
  });
  return lines.length === 0 ? ['No dead letters.'] : lines;
}

/** Everything that is known of one letter. */
export async function showLetter(id: string, options: LetterOptions): Promise<string[]> {
  const found = await withLetters(options, async (letters, service) => {
    const letter = await letters.find(id);
    return letter ? [detailsOf(service, letter)] : [];
  });
  if (found.length === 0) throw new Error(`There is no dead letter ${id}.`);
  return found.flat();
}

/** Asks the service to handle the event again, now or, where it is stopped, when it starts. */
export async function replayLetter(id: string, options: LetterOptions): Promise<string[]> {
  const asked = await withLetters(options, async (letters, service) => ((await letters.replay(id)) ? [service] : []));
  if (asked.length === 0) throw new Error(`There is no dead letter ${id} that can be replayed.`);
  return [`${asked[0]} handles it again as soon as it runs, and everything that waits behind it.`];
}

async function withLetters<Line>(
  { service, data }: LetterOptions,
  look: (letters: DeadLetters, service: Owner) => Promise<Line[]>,
): Promise<Line[]> {
  const wanted = reactingOwners.filter((name) => service === undefined || name === service);
  if (wanted.length === 0)
    throw new Error(`${service} has no dead letters: choose one of ${reactingOwners.join(', ')}.`);
  const databases = await openDatabases(data);
  try {
    const found: Line[] = [];
    for (const name of wanted) {
      const mongo = await Mongo.connect(databases.uriOf(name));
      found.push(...(await look(new DeadLetters(mongo), name).finally(() => mongo.close())));
    }
    return found;
  } finally {
    await databases.close();
  }
}

const lineOf = (service: string, { id, at, reason, type, subject, cause }: DeadLetter): string =>
  `${service}  ${id}  ${at.toISOString()}  ${reason}  ${type} ${subject}  ${cause.message.split('\n')[0]}`;

function detailsOf(service: string, letter: DeadLetter): string[] {
  const { id, at, reason, attempts, key, replayedAt, consumer, type, subject, topic, partition, offset } = letter;
  const state = replayedAt
    ? `replayed at ${replayedAt.toISOString()}`
    : key === null
      ? 'nothing waits behind it'
      : `later events of ${subject} wait behind it`;
  return [
    `${id}: ${state}`,
    `consumer  ${consumer} of ${service}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${reason} at ${at.toISOString()}`,
    `event     ${type} ${subject}, ${topic} ${partition}:${offset}`,
    `cause     ${letter.cause.stack ?? letter.cause.message}`,
    `envelope  ${letter.envelope}`,
  ];
}
