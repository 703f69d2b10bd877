import { connectAdmin } from '@parley/platform/event-bus/kafka';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLogger } from '../builders.ts';
import { downloadPath, fillOnce, keep } from './downloads.ts';
import { freePort } from './free-port.ts';
import { startServer, type Skipped, type TestServer } from './test-server.ts';

/** As in kafka.pom.xml. */
const version = '4.1.0';
const oldestJava = 17;
const installMs = 300_000;
const jars = downloadPath(`kafka-${version}`);
const clusterId = 'MkU3OEVBNTcwNTJENDM2Qk';
/** What each start would do again: see `prepare`. */
const prepared = `${jars}-prepared`;
const prepareMs = 60_000;

/**
 * Who may sign in, by SCRAM-SHA-512 or PLAIN, and the file into which the broker's certificate goes: its own authority.
 */
export type KafkaGuard = { readonly username: string; readonly password: string; readonly certificate: string };

/**
 * Apache Kafka, one node that is broker and controller. Topics are not made by themselves. `url` is host:port. With a
 * guard it speaks TLS only and lets nobody else in.
 */
export async function startKafka(guard?: KafkaGuard): Promise<TestServer | Skipped> {
  const reason = findJava() ?? install();
  if (reason !== null) return { skipped: reason };
  if (!existsSync(prepared)) await prepare();
  return startBroker({ from: prepared, sharing: `-XX:SharedArchiveFile=${join(prepared, classes)}`, guard });
}

type BrokerStart = { readonly from: string; readonly sharing: string; readonly guard?: KafkaGuard | undefined };

async function startBroker({ from, sharing, guard }: BrokerStart): Promise<TestServer> {
  const controllerPort = await freePort();
  return startServer({
    name: 'kafka',
    version,
    url: (port) => `127.0.0.1:${port}`,
    command: (port, folder) => {
      const properties = join(folder, 'server.properties');
      writeFileSync(
        properties,
        propertiesOf(port, controllerPort, folder, guard ? 'SASL_SSL' : 'PLAINTEXT') +
          (guard ? propertiesOfGuard(guard, folder) : ''),
      );
      const users = guard ? ['--add-scram', `SCRAM-SHA-512=[name=${guard.username},password=${guard.password}]`] : [];
      return ['sh', '-c', start, 'kafka', jars, from, sharing, properties, folder, clusterId, ...users];
    },
    isServing: async (port) => {
      await reach(port);
      if (guard) return true; // Nobody here trusts its certificate.
      const admin = await connectAdmin({
        brokers: [`127.0.0.1:${port}`],
        clientId: 'test-server',
        logger: silentLogger(),
      });
      try {
        return (await admin.describeCluster()).brokers.length === 1;
      } finally {
        await admin.disconnect();
      }
    },
  });
}

/** Tests end before the second compiler has paid for itself. */
const javaOptions = '-XX:TieredStopAtLevel=1 -XX:+IgnoreUnrecognizedVMOptions';
const format = `java ${javaOptions} -cp "$jars/*" kafka.tools.StorageTool format -t "$cluster" -c "$properties"`;
/** Users are written when the folder is formatted: without any it is a copy. */
const start = `jars=$1; from=$2; sharing=$3; properties=$4; folder=$5; cluster=$6; shift 6
if ! test -d "$folder/data"; then
  if test $# -eq 0; then cp -r "$from/data" "$folder/data"; else ${format} "$@"; fi || exit 1
fi
exec java ${javaOptions} "$sharing" -Xmx512m -XX:+UseSerialGC -cp "$jars/*" kafka.Kafka "$properties"`;

const classes = 'classes.jsa';

/**
 * Formats a folder and starts and stops a broker once, whose JVM then writes its loaded classes into an archive for
 * all later ones. A JVM that can't use the archive starts without it. Together a start takes 1.5 s of CPU, not 6 s.
 */
async function prepare(): Promise<void> {
  const fresh = mkdtempSync(`${prepared}.`);
  const properties = join(fresh, 'server.properties');
  try {
    writeFileSync(properties, propertiesOf(1, 2, fresh, 'PLAINTEXT'));
    const script = `jars=$1; properties=$2; cluster=$3; ${format}`;
    const formatted = spawnSync('sh', ['-c', script, 'kafka', jars, properties, clusterId], { encoding: 'utf8' });
    if (formatted.status !== 0) throw new Error(`Kafka's folder cannot be formatted: ${formatted.stderr}`);
    const server = await startBroker({ from: fresh, sharing: `-XX:ArchiveClassesAtExit=${join(fresh, classes)}` });
    // If the process has already exited, no archive is written, and later starts do without one.
    if (isAlive(server.pid)) process.kill(server.pid, 'SIGTERM');
    for (const deadline = Date.now() + prepareMs; isAlive(server.pid) && Date.now() < deadline;) await wait(50);
    await server.close();
    keep(fresh, prepared);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Small internal topics and index files: tests make many topics with few records. */
const propertiesOf = (
  port: number,
  controllerPort: number,
  folder: string,
  protocol: string,
): string => `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=CLIENTS://127.0.0.1:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
listener.security.protocol.map=CLIENTS:${protocol},CONTROLLER:PLAINTEXT
log.dirs=${folder}/data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.index.size.max.bytes=65536
`;

/** Makes the certificate, for 127.0.0.1, and says who may sign in. */
function propertiesOfGuard({ username, password, certificate }: KafkaGuard, folder: string): string {
  const store = join(folder, 'broker.p12');
  const access = ['-alias', 'broker', '-keystore', store, '-storetype', 'PKCS12', '-storepass', password];
  if (!existsSync(store))
    keytool('-genkeypair', ...access, '-keyalg', 'RSA', '-dname', 'CN=broker', '-ext', 'SAN=IP:127.0.0.1');
  keytool('-exportcert', '-rfc', ...access, '-file', certificate);
  const modules = 'org.apache.kafka.common.security';
  return `ssl.keystore.location=${store}
ssl.keystore.password=${password}
ssl.truststore.type=PEM
ssl.truststore.location=${certificate}
sasl.enabled.mechanisms=SCRAM-SHA-512,PLAIN
sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
listener.name.clients.scram-sha-512.sasl.jaas.config=${modules}.scram.ScramLoginModule required username="${username}" password="${password}";
listener.name.clients.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required user_${username}="${password}";
`;
}

function keytool(...args: readonly string[]): void {
  const { status, stdout } = spawnSync('keytool', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`keytool: ${stdout}`);
}

/** Null when there is a Java that is new enough. */
function findJava(): string | null {
  const asked = spawnSync('java', ['-version'], { encoding: 'utf8' });
  if (asked.error) return `no Java here (Debian: default-jre-headless, ${oldestJava} or newer)`;
  const [, major = '0'] = /version "(\d+)/.exec(asked.stderr) ?? [];
  return Number(major) < oldestJava ? `Java ${major} is too old for Kafka, ${oldestJava} is needed` : null;
}

/** Fetches Kafka's jars from Maven Central, once. Gives the reason why they are not there, or null. */
function install(): string | null {
  return fillOnce(jars, (fresh) => {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
    const run = spawnSync(
      'mvn',
      ['-q', '-B', '-f', join(import.meta.dirname, 'kafka.pom.xml'), goal, `-DoutputDirectory=${fresh}`],
      { encoding: 'utf8', timeout: installMs },
    );
    if (run.error) return `no Kafka: ${run.error.message} (Debian: maven)`;
    return run.status === 0
      ? null
      : `no Kafka: ${run.stdout.split('\n').find((line) => line.includes('ERROR')) ?? 'Maven failed'}`;
  });
}

/** Throws at once while nobody listens, where a Kafka client would try for seconds. */
function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
