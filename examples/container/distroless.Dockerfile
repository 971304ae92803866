# For an image without shell and packages. BASE is the full name of Distroless' `base-debian12`; neither its `static` nor
# `scratch` will do, for the executable needs a C library and the loader that comes with it.
#
#   npx cfa build examples/math.ts --target linux-x64 --outdir dist
#   docker build --build-arg BASE=… --file examples/container/distroless.Dockerfile --tag math .
#   docker run --rm --read-only --network none math multiply --a 6 --b 7
#
# For Arm: --platform linux/arm64 --build-arg EXECUTABLE=dist/math-linux-arm64
ARG BASE
FROM ${BASE}
ARG EXECUTABLE=dist/math-linux-x64
COPY --chmod=755 ${EXECUTABLE} /usr/local/bin/math
USER 65534:65534
# Where the executable does not start there will be no image.
RUN ["/usr/local/bin/math", "schema"]
ENTRYPOINT ["/usr/local/bin/math"]
