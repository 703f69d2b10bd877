// Gives a copy of the repository, which is the working directory, the modules of the original, whose folder is the
// argument: `@parley/*` are the packages of the copy, all others are linked.
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const original = process.argv[2];
const modules = join(process.cwd(), 'node_modules');
mkdirSync(join(modules, '@parley'), { recursive: true });
for (const name of readdirSync(join(original, 'node_modules')))
  if (name !== '@parley' && !name.startsWith('.'))
    symlinkSync(join(original, 'node_modules', name), join(modules, name));

const within = (folder) => readdirSync(folder).map((name) => join(folder, name));
for (const folder of ['bff', 'embedded', 'frontend', ...within('packages'), ...within('services')]) {
  symlinkSync(join(process.cwd(), folder), join(modules, '@parley', basename(folder)));
  const own = join(original, folder, 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(folder, 'node_modules'));
}
