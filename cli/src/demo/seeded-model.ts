import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dice } from './dice.ts';
import type { MovingClock } from './moving-clock.ts';

const models = ['aurora-large', 'aurora-mini'];

/** Stands where a model server would: says what the content holds, on a port of this process, while the demo is filled. */
export class SeededModel {
  /** The text that the model says next. */
  answer = '';
  address = '';
  private readonly server = createServer((request, response) => this.serve(request, response));

  constructor(
    private readonly clock: MovingClock,
    private readonly dice: Dice,
  ) {}

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.address = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    let asked = '';
    request.setEncoding('utf8').on('data', (part: string) => (asked += part));
    request.on('end', () => {
      if (request.url?.endsWith('/models'))
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ data: models.map((id) => ({ id, context_length: 128_000 })) }));
      else this.say(response, cited(this.answer, asked), Math.ceil(asked.length / 4));
    });
  }

  /** Time passes as if a model had thought and written: less than a lease takes, also where three of them do so at once. */
  private say(response: ServerResponse, answer: string, input: number): void {
    const { clock, dice } = this;
    const words = answer.split(/(?<=\s)/u);
    const output = Math.ceil(answer.length / 4) + dice.between(100, 900);
    const usage = { prompt_tokens: input, completion_tokens: output };
    clock.pass(dice.between(300, 900));
    const half = Math.ceil(words.length / 2);
    response.setHeader('content-type', 'text/event-stream');
    response.write(event({ choices: [{ index: 0, delta: { content: words.slice(0, half).join('') } }] }));
    setTimeout(() => {
      clock.pass(dice.between(800, 1_400) + Math.min(output * 2, 1_500));
      response.write(event({ choices: [{ index: 0, delta: { content: words.slice(half).join('') } }] }));
      response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      response.end(`${event({ choices: [], usage })}data: [DONE]\n\n`);
    }, 5);
  }
}

const event = (data: object): string =>
  `data: ${JSON.stringify({ id: 'demo', object: 'chat.completion.chunk', ...data })}\n\n`;

/** Puts the number of the passage with that heading for each `[§heading]`; removes those that weren't found. */
function cited(answer: string, request: string): string {
  const { messages = [] } = JSON.parse(request) as { messages?: { content: string }[] };
  const passages = messages[0]?.content.split('<passages>')[1] ?? '';
  return answer.replace(/ \[§([^\]]+)\]/g, (_, heading: string) => {
    const found = passages
      .split('\n')
      .find((line) => /^\[\d+\] /.test(line) && (line.endsWith(`, ${heading}`) || line.endsWith(` › ${heading}`)));
    return found === undefined ? '' : ` ${found.slice(0, found.indexOf(']') + 1)}`;
  });
}
