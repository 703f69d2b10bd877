// Writes the page of limits from the tables here: `npm run docs:limits`.
import { readFileSync, writeFileSync } from 'node:fs';
import { mostCompletionImages } from '../services/chat/answers/completions.ts';
import { limits } from './sizes.ts';
import { routeEntries } from '../http/routes.ts';
import type { AtOnce } from '@parley/protocol';
import { costClasses, ratesOf, type CostClass } from './rates.ts';
import { quotaLimits, type QuotaLimit } from './quotas.ts';
import { attemptLimits } from './attempts.ts';
import { runningLimitOf, runningLimits, signInLimits, waitingLimits, type RunningLimit } from './running.ts';

const page = new URL('../../../../docs/reference/limits.md', import.meta.url);
const begin = '<!-- made by npm run docs:limits -->';
/**
 * Marks where the part made from these tables ends. The same command also writes the rest of the page, from the
 * services.
 */
const end = '<!-- the jobs of the services';

const number = (value: number | undefined): string => (value === undefined ? '–' : value.toLocaleString('en'));
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const rates = (): string =>
  table(
    ['Class', 'What it costs', 'A person', 'An organisation', 'A visitor’s address'],
    Object.entries(costClasses).map(([name, { what }]) => {
      const { person, organisation, address } = ratesOf(name as CostClass);
      return [`\`${name}\``, what, number(person), number(organisation), number(address)];
    }),
  );

const bounds = ({ person, organisation, address }: AtOnce): string[] => [person, organisation, address].map(number);

const ofClasses = (): string =>
  table(
    ['Routes of the class', 'A person', 'An organisation', 'A visitor’s address', 'One more'],
    Object.entries<{ readonly atOnce: AtOnce }>(costClasses).flatMap(([name, { atOnce }]) =>
      name === 'live' ? [] : [[`\`${name}\``, ...bounds(atOnce), atOnce.waits ? 'waits' : '429']],
    ),
  );

const ofRoutes = (): string =>
  table(
    ['Route', 'A person', 'An organisation', 'An API key', 'Bytes of bodies that a process of the BFF receives', 'Why'],
    routeEntries.flatMap(([, { route, atOnce: own }]) =>
      own ? [[`\`${route}\``, ...[own.person, own.organisation, own.key, own.bytes].map(number), own.why]] : [],
    ),
  );

const running = (): string =>
  table(
    ['What', 'A person', 'An organisation'],
    (Object.keys(runningLimits) as RunningLimit[]).map((name) => {
      const { what, person, organisation } = runningLimitOf(name);
      return [`${what.slice(0, 1).toUpperCase()}${what.slice(1)}`, number(person), number(organisation)];
    }),
  );

const shownQuota = ({ unit, ceiling }: QuotaLimit): string => {
  if (unit === 'count') return number(ceiling);
  return ceiling < 1e9 ? `${Math.round(ceiling / 1e6)} MB` : `${number(ceiling / 1e9)} GB`;
};

const quotas = (): string =>
  table(
    ['What', 'Of', 'At most', 'When full'],
    Object.values<QuotaLimit>(quotaLimits).map((quota) => [
      quota.description,
      quota.owner === 'person' ? 'a person' : 'an organisation',
      shownQuota(quota),
      quota.whenFull,
    ]),
  );

const sizes = (): string =>
  table(
    ['What', 'At most'],
    [
      ['A JSON body', `${number(limits.jsonBytes)} bytes`],
      ['A JSON body of prices that are imported', `${number(limits.largeJsonBytes)} bytes`],
      [
        'A JSON body of a completion',
        `${number(limits.completionJsonBytes)} bytes, with at most ${mostCompletionImages} images`,
      ],
      ['A file', `${number(limits.fileBytes)} bytes`],
      ['A picture', `${number(limits.pictureBytes)} bytes`],
      ['A question', `${number(limits.messageCharacters)} characters`],
      ['A page of a list', `${limits.pageSize} entries`],
      ['Sessions of a person', `${limits.sessions}; one more ends the one that was unused for longest`],
    ],
  );

const signIns = (): string => {
  const { atOnce: most, waiting: line } = signInLimits;
  return `Each process of auth compares ${most} passwords of sign-ins at a time, at most half of them from one network. Up to ${number(line)} wait in turns by network, then by account, so wrong passwords of other accounts delay a sign-in by at most one comparison for each of those accounts, and refuse none. Beyond that, the last in line of the network with most of them gets 503 with \`Retry-After\`.`;
};

const attempts = (): string =>
  table(
    ['What', 'At most', 'In minutes'],
    Object.values(attemptLimits).map(({ what, most, windowMs }) => [what, number(most), number(windowMs / 60_000)]),
  );

/** Returns the first part of the page, made from the tables as they are now. */
export const madePart = (): string =>
  [
    begin,
    '## Requests a minute',
    rates(),
    '## At the same time',
    `Over all replicas. What waits does so for ${waitingLimits.forMs / 1_000} s at most, ${waitingLimits.most} requests of a person, or a visitor’s address, and class in each process of the BFF; then it is refused with 429.`,
    ofClasses(),
    'Some routes have limits of their own. One person’s bodies take at most a quarter of the bytes:',
    ofRoutes(),
    'Besides requests:',
    running(),
    '## Signing in',
    signIns(),
    'What may be a guess, or costs much, is refused with 429 until its time begins again:',
    attempts(),
    '## In all',
    'A full quota is refused with 409 and says what to do, storage with 413. Only invitation emails are refused with 429 and `Retry-After`: the others have no room before something is deleted or a platform admin sets a higher ceiling.',
    quotas(),
    '## Sizes',
    sizes(),
  ].join('\n\n');

/** Returns the first part of the page as the stored page has it, to compare it with `madePart`. */
export function keptPart(): string {
  const text = readFileSync(page, 'utf8');
  return text.slice(text.indexOf(begin), text.indexOf(end)).trimEnd();
}

export function writePage(): void {
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, `${text.slice(0, text.indexOf(begin))}${madePart()}\n\n${text.slice(text.indexOf(end))}`);
}
