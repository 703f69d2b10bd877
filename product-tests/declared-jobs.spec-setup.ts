import { costClasses } from '@parley/contracts';
import type { TurnBounds } from '@parley/platform/fair-turns';
import type { JobDefinition } from '@parley/platform/jobs';
import type { AtOnce } from '@parley/protocol';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '..');
const page = join(home, 'docs/reference/limits.md');
const mark = '<!-- the jobs of the services, made by npm run docs:limits -->';
const fairnessPage = join(home, 'docs/explanation/fairness.md');
const fairnessMark = '<!-- made by npm run docs:limits -->';

type Declared = { readonly name: string; readonly job: JobDefinition<unknown> };

const isJob = (value: unknown): value is JobDefinition<unknown> =>
  typeof value === 'object' && value !== null && 'kind' in value && 'leaseMs' in value && 'ownerOf' in value;

/** Returns the kinds of jobs that a service exports, each with the name of its definition. */
export async function declaredJobs(service: string): Promise<Declared[]> {
  const files = globSync(`${service}/src/**/*.ts`, { cwd: home }).filter((file) => !file.includes('.spec'));
  const declaring = files.filter((file) => readFileSync(join(home, file), 'utf8').includes('defineJob('));
  const modules = await Promise.all(declaring.map((file) => import(join(home, file)) as Promise<object>));
  return modules.flatMap((exported) =>
    Object.entries(exported).flatMap(([name, value]) => (isJob(value) ? [{ name, job: value }] : [])),
  );
}

const rowOf = ({ kind, slots, attempts }: JobDefinition<unknown>): string =>
  `| ${[`\`${kind}\``, ...bounds(slots), number(attempts)].join(' | ')} |`;

/** Returns what docs/reference/limits.md has to say of jobs. */
export async function jobsPart(): Promise<string> {
  const services = globSync('services/*', { cwd: home });
  const jobs = (await Promise.all(services.map(declaredJobs))).flat().map(({ job }) => job);
  return [
    `${mark}\n`,
    '## Jobs\n',
    'Work that waits is a job. The table says how many jobs of a kind one process runs at the same time. The others wait: [flows](glossary.md) take turns, and so do the people of a flow. No job is refused. A job whose attempts all failed ends, and its owner sees that; where nobody owns it, it is parked ([jobs](../../packages/platform/src/jobs/README.md)).\n',
    '| Kind | In a process | Of a flow | Of a person | Attempts |\n| --- | --- | --- | --- | --- |',
    ...jobs.map(rowOf).toSorted(),
    '',
  ].join('\n');
}

const number = (value: number | undefined): string => (value === undefined ? '–' : value.toLocaleString('en'));

/** Returns the table of docs/explanation/fairness.md: what runs at the same time, of whom. */
export async function fairnessTable(): Promise<string> {
  const services = globSync('services/*', { cwd: home });
  const jobs = (await Promise.all(services.map(declaredJobs))).flat().map(({ job }) => job);
  const classes = Object.entries<{ readonly atOnce: AtOnce }>(costClasses).filter(([name]) => name !== 'live');
  const rows = [
    ['Answers, in a process', 'all slots', 'half', 'a tenth', 'waits'],
    ...classes.map(
      ([
        name,
        {
          atOnce: { person, organisation, waits },
        },
      ]) => [
        `Requests of class \`${name}\`, in all processes`,
        '–',
        `${number(organisation)}${organisation === undefined ? '' : ' (of an organisation)'}`,
        number(person),
        waits ? 'waits 10 s' : '429',
      ],
    ),
    ...jobs
      .toSorted((one, other) => one.kind.localeCompare(other.kind))
      .map(({ kind, slots }) => [`Jobs of kind \`${kind}\`, in a process`, ...bounds(slots), 'waits']),
  ];
  const lines = [
    ['What runs at the same time', 'All', 'A flow', 'A person', 'One more'],
    Array(5).fill('---'),
    ...rows,
  ];
  return `${fairnessMark}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** A flow has half of all, and a person as many as a flow, unless the definition says otherwise. */
function bounds({ all, ofFlow = Math.max(1, Math.floor(all / 2)), ofPerson = ofFlow }: TurnBounds): string[] {
  return [all, ofFlow, Math.min(ofFlow, ofPerson)].map(number);
}

/** Returns the table that the page has. */
export function keptFairnessTable(): string {
  const text = readFileSync(fairnessPage, 'utf8');
  return text.slice(text.indexOf(fairnessMark));
}

/** Returns what the page says of jobs. */
export function keptJobsPart(): string {
  const text = readFileSync(page, 'utf8');
  return text.slice(text.indexOf(mark));
}

export async function writeJobsPart(): Promise<void> {
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, `${text.slice(0, text.indexOf(mark))}${await jobsPart()}`);
  const fairness = readFileSync(fairnessPage, 'utf8');
  writeFileSync(fairnessPage, `${fairness.slice(0, fairness.indexOf(fairnessMark))}${await fairnessTable()}`);
}
