import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './objects.ts';

export const kubernetes = '1.34.1';
const kustomize = '5.8.0';
/** As Kubernetes wants it. */
const oldestGo = 24;
const home = join(root, `node_modules/.cache/parley/kubernetes-${kubernetes}`);
const buildMs = 1_500_000;
/** Without optimising and without what debuggers read: a fifth less to compute, and what is built runs for seconds. */
const quickly = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];

export type Tools = { readonly kustomize: string; readonly apiServer: string; readonly etcd: string };

/**
 * Modules of Kubernetes that its own module file takes from its source tree; from outside each has the release's
 * number.
 */
const staging = [
  'api',
  'apiextensions-apiserver',
  'apimachinery',
  'apiserver',
  'cli-runtime',
  'client-go',
  'cloud-provider',
  'cluster-bootstrap',
  'code-generator',
  'component-base',
  'component-helpers',
  'controller-manager',
  'cri-api',
  'cri-client',
  'csi-translation-lib',
  'dynamic-resource-allocation',
  'endpointslice',
  'externaljwt',
  'kms',
  'kube-aggregator',
  'kube-controller-manager',
  'kube-proxy',
  'kube-scheduler',
  'kubectl',
  'kubelet',
  'metrics',
  'mount-utils',
  'pod-security-admission',
  'sample-apiserver',
  'sample-cli-plugin',
  'sample-controller',
];

/** Builds kustomize from the Go module proxy, once; the reason where that cannot be. */
export function findKustomize(): { file: string } | { skipped: string } {
  if (goVersion() < oldestGo) return { skipped: `no Go 1.${oldestGo} or newer here` };
  const file = join(home, 'kustomize');
  if (!existsSync(file)) buildKustomize(file);
  return { file };
}

/** Whole or not there: tests may want it while `accept:k8s` builds. */
function buildKustomize(file: string): void {
  mkdirSync(home, { recursive: true });
  const own = mkdtempSync(join(home, 'kustomize-'));
  go(['install', ...quickly, `sigs.k8s.io/kustomize/kustomize/v5@v${kustomize}`], { GOBIN: own });
  renameSync(join(own, 'kustomize'), file);
  rmSync(own, { recursive: true });
}

/** Builds what is missing from the Go module proxy, once (minutes); the reason where that cannot be. */
export function findTools(): Tools | { skipped: string } {
  const kustomize = findKustomize();
  if ('skipped' in kustomize) return kustomize;
  if (!isThere('etcd', ['--version'])) return { skipped: 'no etcd here (Debian: etcd-server)' };
  const tools = { kustomize: kustomize.file, apiServer: join(home, 'kube-apiserver'), etcd: 'etcd' };
  if (!existsSync(tools.apiServer)) buildApiServer(tools.apiServer);
  return tools;
}

function buildApiServer(target: string): void {
  const replaced = staging.map((name) => `replace k8s.io/${name} => k8s.io/${name} v0${kubernetes.slice(1)}`);
  writeFileSync(
    join(home, 'go.mod'),
    ['module parley.dev/kubernetes', 'go 1.24', `require k8s.io/kubernetes v${kubernetes}`, ...replaced, ''].join('\n'),
  );
  writeFileSync(
    join(home, 'tools.go'),
    '//go:build tools\n\npackage tools\n\nimport _ "k8s.io/kubernetes/cmd/kube-apiserver"\n',
  );
  go(['mod', 'tidy']);
  go(['build', ...quickly, '-o', target, 'k8s.io/kubernetes/cmd/kube-apiserver']);
}

function go(args: readonly string[], environment: Record<string, string> = {}): void {
  const run = spawnSync('go', args, {
    cwd: home,
    encoding: 'utf8',
    timeout: buildMs,
    env: { ...process.env, GOFLAGS: '', ...environment },
  });
  if (run.status !== 0) throw new Error(`go ${args[0]} failed: ${run.stderr.trim().split('\n').slice(-3).join(' ')}`);
}

/** The second part of Go's version; 0 where there is none. */
function goVersion(): number {
  const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  return Number(/go1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

const isThere = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;
