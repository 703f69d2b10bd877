import type { Infrastructure } from '@parley/testing/distributed';
import type { Edition, Product } from './edition.ts';
import { signIn } from './sign-in.ts';
import { TwoOfEach } from './two-of-each.ts';

/** Fourteen processes behind a round-robin balancer. */
export function distributedEdition(infrastructure: Infrastructure): Edition {
  return { start: async (settings) => asProduct(await TwoOfEach.start(infrastructure, settings)) };
}

function asProduct(running: TwoOfEach): Product {
  return {
    url: running.url,
    letFirstAdminIn: async (page, admin) => {
      const { code, output } = await running.installation.parley(
        ['admin', 'create', '--email', admin.email, '--name', admin.name],
        { input: `${admin.password}\n` },
      );
      if (code !== 0) throw new Error(`parley admin create ended with ${String(code)}: ${output}`);
      await page.goto(`${running.url}/en`);
      await signIn(page, admin);
    },
    idleProcesses: async () => {
      const balanced = [...running.of('bff'), ...running.of('chat-api')];
      const served = await Promise.all(balanced.map((each) => running.servedBy(each)));
      return balanced.filter((_each, at) => served[at] === 0).map(({ name, copy }) => `${name} ${copy + 1}`);
    },
    close: () => running.close(),
  };
}
