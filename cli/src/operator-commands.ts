import type { KafkaCluster } from '@parley/platform/event-bus/kafka';
import type { Command } from 'commander';
import { resolve } from 'node:path';
import type { DemoOptions } from './demo/demo.ts';
import type { LetterOptions } from './letters.ts';
import type { LimitOptions } from './limits.ts';
import type { ApproveOptions } from './organisations.ts';

const print = (lines: readonly string[]): void => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
const report = (line: string): void => print([line]);

/** The commands of who runs an installation. Their parts are loaded when asked for: `parley start` needs none. */
export function registerOperatorCommands(program: Command): void {
  registerKeys(program);
  registerAdmin(program);
  registerLetters(program);
  registerRepublish(program);
  registerBilling(program);
  registerLimits(program);
  registerOrganisations(program);
  program
    .command('topics')
    .description('topics of a distributed installation')
    .command('apply')
    .description('make the Kafka topics as declared; never deletes anything')
    .action(async () => {
      const [{ readConfig }, { durabilityConfig, durabilityOf, makeTopics }] = await Promise.all([
        import('@parley/platform/config'),
        import('./topics.ts'),
      ]);
      print(await makeTopics(await kafkaCluster(), durabilityOf(readConfig(durabilityConfig))));
    });
  program
    .command('migrate-schema')
    .description('make the collections and indexes that this version needs, in the database of each service')
    .action(async () => {
      const { migrateSchema } = await import('./migrate-schema.ts');
      print(await migrateSchema(await mongoUrl(), report));
    });
  program
    .command('after-restore')
    .description(
      'after the databases came back from a backup, before the processes start: have recent events go out again, make the indexes',
    )
    .action(async () => {
      const { afterRestore } = await import('./after-restore.ts');
      print(await afterRestore(await mongoUrl(), report));
    });
  program
    .command('migrate')
    .description(
      'move a data folder of the one-process edition, stopped, into a fresh distributed installation; the folder stays as it is',
    )
    .requiredOption('--data <folder>', 'the data folder')
    .requiredOption('--keys-out <folder>', 'where to put its keys for the deployables')
    .action(async ({ data, keysOut }: { data: string; keysOut: string }) => {
      const { migrate } = await import('./migrate.ts');
      print(await migrate({ data: resolve(data), keysOut: resolve(keysOut) }, report));
    });
  registerDoctor(program);
  registerDemo(program);
}

function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('fill an empty data folder with three organisations and their last 30 days, to try Parley')
    .option('--data <folder>', 'the data folder (./data)')
    .option('--password <password>', 'of the account to sign in with; made at random and printed unless given')
    .action(async (options: DemoOptions) => {
      const { fillDemo } = await import('./demo/demo.ts');
      print(await fillDemo(options, report));
    });
}

function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'say what is wrong with the surroundings of a distributed installation, and what to do; count storage again and correct its counters',
    )
    .argument('[deployable]', 'also check all settings of one: bff, auth, org, chat, billing or monitoring')
    .option('--data <folder>', 'the data folder of a stopped one-process edition: only counts these again')
    .action(async (deployable: string | undefined, { data }: { data?: string }) => {
      if (data !== undefined) {
        const { recountFolder } = await import('./limits.ts');
        print(await recountFolder(data));
        return;
      }
      const { examine, reportOf } = await import('./doctor.ts');
      const findings = await examine(deployable);
      print(findings.map(reportOf));
      if (findings.some(({ advice }) => advice !== null)) process.exitCode = 1;
    });
}

function registerKeys(program: Command): void {
  program
    .command('keys')
    .description('keys of a distributed installation')
    .command('init')
    .description('make the signing key of each deployable, their public keys and the sealing key')
    .requiredOption('--out <folder>', 'where to put them; existing keys are never overwritten')
    .action(async ({ out }: { out: string }) => {
      const { writeKeys } = await import('./keys.ts');
      const files = await writeKeys(resolve(out));
      print([
        `Wrote ${files.join(', ')} into ${out}.`,
        'Give each deployable its own key, public.json to all, sealing.key to auth, monitoring and chat. Without sealing.key the stored provider keys and secrets of webhooks are lost.',
      ]);
    });
}

function registerAdmin(program: Command): void {
  const admin = program.command('admin').description('accounts, from the machine that Parley runs on');
  admin
    .command('reset-link')
    .argument('<address>', 'of the account')
    .description('print a link by which somebody sets a new password, once and for 30 minutes')
    .option('--data <folder>', 'the data folder of a stopped one-process edition; else PARLEY_MONGO_URL is asked')
    .option('--public-url <url>', 'where people reach Parley; else PARLEY_PUBLIC_URL')
    .action(async (address: string, options: { data?: string; publicUrl?: string }) => {
      const { printResetLink } = await import('./reset-link.ts');
      print(await printResetLink(address, options));
    });
  admin
    .command('create')
    .description(
      'make the first platform admin of a distributed installation; the password is read from standard input',
    )
    .requiredOption('--email <address>', 'address to sign in with')
    .requiredOption('--name <name>', 'name that others see')
    .option('--locale <locale>', 'language of the account', 'en')
    .action(async (person: { email: string; name: string; locale: string }) => {
      const { createAdmin } = await import('./admin.ts');
      await createAdmin(await mongoUrl(), person);
      print([`${person.email} is platform admin and can sign in.`]);
    });
}

function registerRepublish(program: Command): void {
  program
    .command('republish')
    .description('publish what a service owns once more, for a consumer that is new or has lost what it knew')
    .requiredOption('--service <name>', 'whose')
    .option('--data <folder>', 'the data folder of a stopped one-process edition; else PARLEY_MONGO_URL is asked')
    .action(async ({ service, data }: { service: string; data?: string }) => {
      const { republishAll } = await import('./republish.ts');
      print(await republishAll(service, data));
    });
}

function registerBilling(program: Command): void {
  program
    .command('billing')
    .description('the usage ledger')
    .command('verify')
    .description('recompute every total from the entries and name each difference')
    .option('--data <folder>', 'the data folder of a stopped one-process edition; else PARLEY_MONGO_URL is asked')
    .action(async ({ data }: { data?: string }) => {
      const { verifyBilling } = await import('./billing.ts');
      const { lines, isRight } = await verifyBilling(data);
      print(lines);
      if (!isRight) process.exitCode = 1;
    });
}

function registerLimits(program: Command): void {
  const limits = program.command('limits').description('how much an organisation can have of something');
  const withOptions = (command: Command): Command =>
    command
      .requiredOption('--organisation <name>', 'which one: its id or its URL name')
      .option('--data <folder>', 'the data folder of a stopped one-process edition; else PARLEY_MONGO_URL is asked');
  withOptions(limits.command('list').description('what it has, and how much it can have')).action(
    async (options: LimitOptions) => {
      const { listLimits } = await import('./limits.ts');
      print(await listLimits(options));
    },
  );
  withOptions(
    limits
      .command('set')
      .argument('<limit>', 'one that `parley limits list` names')
      .argument('<ceiling>', 'a number (GB for storage), or default')
      .description('set how much it can have; takes effect at once'),
  ).action(async (quota: string, ceiling: string, options: LimitOptions) => {
    const { setLimit } = await import('./limits.ts');
    print(await setLimit(quota, ceiling, options));
  });
}

function registerOrganisations(program: Command): void {
  program
    .command('organisations')
    .description('which organisations have a flow of their own')
    .command('approve')
    .argument('[names...]', 'their ids or URL names')
    .description('give organisations a flow of their own; the audit log of each has it')
    .option('--all', 'all that are not approved')
    .option('--by <address>', 'the platform admin whom the audit log names; the first one unless given')
    .option('--data <folder>', 'the data folder of a stopped one-process edition; else PARLEY_MONGO_URL is asked')
    .action(async (names: string[], options: ApproveOptions) => {
      const { approveOrganisations } = await import('./organisations.ts');
      print(await approveOrganisations(names, options));
    });
}

function registerLetters(program: Command): void {
  const letters = program.command('letters').description('events that a service could not handle: dead letters');
  const withOptions = (command: Command): Command =>
    command
      .option('--service <name>', 'only those of one service')
      .option('--data <folder>', 'the data folder of a stopped one-process edition; else PARLEY_MONGO_URL is asked');
  withOptions(letters.command('list').description('one line for each, the newest first')).action(
    async (options: LetterOptions) => {
      const { listLetters } = await import('./letters.ts');
      print(await listLetters(options));
    },
  );
  withOptions(letters.command('show').argument('<id>').description('the event, and why it failed')).action(
    async (id: string, options: LetterOptions) => {
      const { showLetter } = await import('./letters.ts');
      print(await showLetter(id, options));
    },
  );
  withOptions(
    letters.command('replay').argument('<id>').description('have the event handled again, and what waits behind it'),
  ).action(async (id: string, options: LetterOptions) => {
    const { replayLetter } = await import('./letters.ts');
    print(await replayLetter(id, options));
  });
}

async function mongoUrl(): Promise<string> {
  const [{ readConfig }, { processConfig }] = await Promise.all([
    import('@parley/platform/config'),
    import('@parley/platform/process-config'),
  ]);
  return readConfig(processConfig.pick({ PARLEY_MONGO_URL: true })).PARLEY_MONGO_URL;
}

async function kafkaCluster(): Promise<KafkaCluster> {
  const [{ readConfig }, { kafkaConfig, kafkaOf }] = await Promise.all([
    import('@parley/platform/config'),
    import('@parley/platform/process-config'),
  ]);
  return kafkaOf(readConfig(kafkaConfig));
}
