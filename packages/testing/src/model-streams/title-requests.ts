import type { ServerResponse } from 'node:http';

/** Whether a model is asked for the title of a chat, and not for an answer. */
export const isTitleRequest = (body: string): boolean => body.includes('Write a title for the chat below');

/** For models that write answers only: the chat keeps the shortened question as its title, and nothing was used. */
export function refuseTitle(response: ServerResponse): void {
  response.writeHead(503).end();
}
