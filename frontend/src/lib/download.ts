import {
  addressOf,
  headersOf,
  methodOf,
  NetworkError,
  toProblem,
  type BytesRoute,
  type Call,
  type DownloadRoute,
} from './http.ts';

type Fetching<Route extends DownloadRoute | BytesRoute> = Call<Route> & { signal?: AbortSignal };

/** Fetches a file with the tab's session and organisation. Throws `ProblemError` or `NetworkError`, as `api` does. */
export async function fetchFile<Route extends DownloadRoute | BytesRoute>(
  route: Route,
  call: Fetching<Route>,
): Promise<ArrayBuffer> {
  return (await fetchNamed(route, call)).bytes;
}

/** As `fetchFile`, with the name that the server gives the file; null where it gives none. */
export async function fetchNamed<Route extends DownloadRoute | BytesRoute>(
  route: Route,
  { signal, ...call }: Fetching<Route>,
): Promise<{ readonly name: string | null; readonly bytes: ArrayBuffer }> {
  let response: Response;
  try {
    response = await fetch(addressOf(route, call as object), {
      method: methodOf(route),
      headers: { ...headersOf(route, call as object), accept: '*/*' },
      signal: signal ?? null,
      credentials: 'same-origin',
    });
    if (response.ok) return { name: nameIn(response.headers), bytes: await response.arrayBuffer() };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NetworkError({ cause: error });
  }
  throw toProblem(response.status, await response.text());
}

/** RFC 6266: with signs beyond ASCII it is in `filename*`. */
function nameIn(headers: Headers): string | null {
  const header = headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  return encoded ? decodeURIComponent(encoded) : (plain ?? /filename=([^\s;"]+)/i.exec(header)?.[1] ?? null);
}

/** Opens a link that the browser saves: what it names is written to disk as it comes, however large it is. */
export function followDownload<Route extends DownloadRoute>(route: Route, call: Call<Route>): void {
  const link = document.createElement('a');
  link.href = addressOf(route, call as object);
  link.download = '';
  link.click();
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
