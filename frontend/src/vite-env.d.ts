/// <reference types="vite/client" />

/** Version of the root package, set by the build. */
declare const __RELEASE__: string;
