import { addressOf, headersOf, methodOf, NetworkError, toProblem, type Call, type DownloadRoute } from './http.ts';

/** Fetches a file with the tab's session and organisation. Throws `ProblemError` or `NetworkError`, as `api` does. */
export async function fetchFile<Route extends DownloadRoute>(
  route: Route,
  { signal, ...call }: Call<Route> & { signal?: AbortSignal },
): Promise<ArrayBuffer> {
  let response: Response;
  try {
    response = await fetch(addressOf(route, call as object), {
      method: methodOf(route),
      headers: { ...headersOf(route, call as object), accept: '*/*' },
      signal: signal ?? null,
      credentials: 'same-origin',
    });
    if (response.ok) return await response.arrayBuffer();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NetworkError({ cause: error });
  }
  throw toProblem(response.status, await response.text());
}

/** Has the browser save bytes under a name; it shows them nowhere, whatever they are. */
export function saveFile(name: string, bytes: ArrayBuffer): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
