import {
  addressOf,
  headersOf,
  methodOf,
  NetworkError,
  toProblem,
  type Answer,
  type Call,
  type UploadRoute,
} from './http.ts';

/** Sends a file as the body of a route. XMLHttpRequest, because fetch tells nothing of what has been sent. */
export function upload<Route extends UploadRoute>(
  route: Route,
  { file, onProgress, ...call }: Call<Route> & { file: Blob; onProgress?: (share: number) => void },
): { done: Promise<Answer<Route>>; abort: () => void } {
  const request = new XMLHttpRequest();
  const done = new Promise<Answer<Route>>((resolve, reject) => {
    request.open(methodOf(route), addressOf(route, call as object));
    for (const [name, value] of Object.entries(headersOf(route, call as object))) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener(
      'progress',
      (event) => event.lengthComputable && onProgress?.(event.loaded / event.total),
    );
    request.addEventListener('load', () =>
      request.status < 300
        ? resolve((request.responseText === '' ? undefined : JSON.parse(request.responseText)) as Answer<Route>)
        : reject(toProblem(request.status, request.responseText)),
    );
    request.addEventListener('error', () => reject(new NetworkError()));
    request.addEventListener('abort', () => reject(new DOMException('Upload stopped', 'AbortError')));
    request.send(file);
  });
  return { done, abort: () => request.abort() };
}
