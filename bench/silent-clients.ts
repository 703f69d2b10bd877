import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const maskedText = 0x81;
const masked = 0x80;
/** As socket.io's clients answer its pings; this one does so without having read any. */
const pongEveryMs = 5_000;
/** Left for each answer, which it does not look at. */
const answerMs = 2_000;

/** A client that sends what it wants and reads nothing unless it is told to. */
export class SilentClient {
  isOpen = true;
  private readonly socket: Socket;
  private pongs: NodeJS.Timeout | undefined;

  constructor(url: string, lines: readonly string[], body = '') {
    const { hostname, port, host } = new URL(url);
    this.socket = connect(Number(port), hostname)
      .pause()
      .on('error', () => undefined)
      .once('close', () => {
        this.isOpen = false;
        clearInterval(this.pongs);
      });
    const [first, ...others] = lines;
    const length = body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`];
    this.socket.write(`${[first, `host: ${host}`, ...others, ...length].join('\r\n')}\r\n\r\n${body}`);
  }

  /** A web socket that sends these packets, and pongs from then on. */
  static live(url: string, { cookie, packets }: { cookie: string; packets: readonly string[] }): SilentClient {
    const client = new SilentClient(url, [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      `origin: ${url}`,
      `cookie: ${cookie}`,
    ]);
    const send = (packet: string): void => void client.socket.write(frameOf(packet));
    for (const [at, packet] of packets.entries()) setTimeout(() => send(packet), (at + 1) * answerMs);
    client.pongs = setInterval(() => send('3'), pongEveryMs);
    return client;
  }

  /** Reads all that comes and throws it away. */
  read(): void {
    this.socket.resume();
  }

  leave(): void {
    this.socket.destroy();
  }
}

/** A frame of a web socket's client, with a mask that changes nothing. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length < 126 ? [masked | payload.length] : [masked | 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([maskedText, ...length, 0, 0, 0, 0]), payload]);
}
