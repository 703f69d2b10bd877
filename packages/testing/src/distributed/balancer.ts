import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { startServer, type Skipped, type TestServer } from '../servers/test-server.ts';

const isReachable = async (port: number): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/`)).ok;

/** What comes to `port` goes to one of `targets`, in turn. */
export type Route = { readonly name: string; readonly port: number; readonly targets: readonly number[] };

/** Null when a balancer can run here, else the reason. */
export function findBalancer(): string | null {
  return spawnSync('haproxy', ['-v']).error ? 'no haproxy here (Debian: haproxy)' : null;
}

/**
 * A plain round-robin TCP balancer (HAProxy) on loopback. It knows nothing of health: who refuses a connection is
 * passed over, and what is open stays where it is.
 */
export async function startBalancer(routes: readonly Route[]): Promise<TestServer | Skipped> {
  const reason = findBalancer();
  if (reason !== null) return { skipped: reason };
  return startServer({
    name: 'haproxy',
    version: '2',
    url: (port) => `http://127.0.0.1:${port}/`,
    command: (port, folder) => {
      const file = `${folder}/haproxy.cfg`;
      writeFileSync(file, configOf(routes, port));
      return ['haproxy', '-db', '-f', file];
    },
    isServing: isReachable,
  });
}

const configOf = (routes: readonly Route[], monitorPort: number): string => `global
  maxconn 4000
  nbthread 1
defaults
  mode tcp
  balance roundrobin
  retries 3
  option redispatch 1
  timeout connect 2s
  timeout client 1h
  timeout server 1h
frontend monitor
  mode http
  bind 127.0.0.1:${monitorPort}
  monitor-uri /
${routes
  .map(
    ({ name, port, targets }) => `listen ${name}
  bind 127.0.0.1:${port}
${targets.map((target, copy) => `  server ${name}-${copy + 1} 127.0.0.1:${target}`).join('\n')}
`,
  )
  .join('')}`;
