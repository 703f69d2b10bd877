import { readConfig } from '@parley/platform/config';
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { registerOperatorCommands } from './operator-commands.ts';
import { registerStart } from './start.ts';

// Whatever a command writes (the data, a backup, keys) is for nobody else on the machine.
process.umask(0o077);

/** The version of the installation: one for all packages, in the root package. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('parley')
  .description('Parley: a self-hosted AI chat workspace for organisations')
  .version(version)
  .showHelpAfterError()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'parley: ')) });

registerStart(program);
registerOperatorCommands(program);

program
  .command('backup')
  .argument('<file>', 'a new tar file')
  .description('write everything into one tar, also while Parley runs; it contains the keys')
  .option('--data <folder>', 'the data folder (./data)')
  .action(async (file: string, options: { data?: string }) => {
    const { backupFolder, embeddedConfig } = await import('@parley/embedded');
    const config = readConfig(embeddedConfig, options.data === undefined ? {} : { PARLEY_DATA: options.data });
    await backupFolder(resolve(config.PARLEY_DATA), resolve(file));
    process.stdout.write(`Backed up to ${file}. It contains the keys: keep it as safe as the data.\n`);
  });

program
  .command('restore')
  .argument('<file>', 'a tar that `parley backup` wrote')
  .description('unpack a backup into a new data folder')
  .requiredOption('--data <folder>', 'the new data folder')
  .action(async (file: string, options: { data: string }) => {
    const { restoreFolder } = await import('@parley/embedded');
    await restoreFolder(resolve(file), resolve(options.data));
    process.stdout.write(`Restored into ${options.data}. Start it with: npx parley --data ${options.data}\n`);
  });

try {
  await program.parseAsync();
} catch (error) {
  const { sentenceOf } = await import('./sentence.ts');
  process.stderr.write(`parley: ${sentenceOf(error)}\n`);
  process.exit(1);
}
