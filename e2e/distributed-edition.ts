import type { MailId } from '@parley/contracts';
import { ParleyClient } from '@parley/testing/client';
import type { Infrastructure } from '@parley/testing/distributed';
import type { Account, Edition, Product } from './edition.ts';
import { signIn } from './sign-in.ts';
import { TwoOfEach } from './two-of-each.ts';

/** Fourteen processes behind a round-robin balancer. */
export function distributedEdition(infrastructure: Infrastructure): Edition {
  return { start: async (settings) => asProduct(await TwoOfEach.start(infrastructure, settings)) };
}

const operator: Account = { name: 'Operator', email: 'operator@example.com', password: 'three quiet herons' };
const mailKinds = { invitation: 'invitation', 'reset-password': 'password-reset' } as const;

function asProduct(running: TwoOfEach): Product {
  let asking: Promise<ParleyClient> | undefined;
  const links = new Map<MailId, Promise<string>>();
  return {
    url: running.url,
    letFirstAdminIn: async (page, admin) => {
      await createAdmin(running, admin);
      await page.goto(`${running.url}/en`);
      await signIn(page, admin);
    },
    idleProcesses: async () => {
      const balanced = [...running.of('bff'), ...running.of('chat-api')];
      const served = await Promise.all(balanced.map((each) => running.servedBy(each)));
      return balanced.filter((_each, at) => served[at] === 0).map(({ name, copy }) => `${name} ${copy + 1}`);
    },
    // There is no mail server: a platform admin hands links over, each once, since its recipient is told.
    linkMailedTo: async (address, page) => {
      const client = await (asking ??= signInOperator(running));
      const { items } = await client.call('GET /api/auth/mails', { query: { state: 'kept' } });
      const newest = items.find(({ to, kind }) => to === address && kind === mailKinds[page]);
      if (!newest) throw new Error('There is none yet.');
      const link = links.get(newest.id) ?? showLink(client, newest.id);
      links.set(newest.id, link);
      return link;
    },
    close: () => running.close(),
  };
}

async function createAdmin({ installation }: TwoOfEach, { email, name, password }: Account): Promise<void> {
  const command = ['admin', 'create', '--email', email, '--name', name];
  const { code, output } = await installation.parley(command, { input: `${password}\n` });
  if (code !== 0) throw new Error(`parley admin create ended with ${String(code)}: ${output}`);
}

async function signInOperator(running: TwoOfEach): Promise<ParleyClient> {
  await createAdmin(running, operator);
  const client = new ParleyClient(running.url);
  await client.signIn(operator.email, operator.password);
  return client;
}

async function showLink(client: ParleyClient, mailId: MailId): Promise<string> {
  const body = { reason: 'Handed over' };
  return (await client.call('POST /api/auth/mails/:mailId/link', { params: { mailId }, body })).link;
}
