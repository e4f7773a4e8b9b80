/* SPDX-License-Identifier: Apache-2.0
 *
 * libvta: the toolkit's C API. Compiles networks, runs programs on devices, reports counters.
 *
 * Errors. A function that can fail returns a vta_status; the message is in vta_last_error() of the
 *   calling thread. Results are written on success only. No exception crosses this
 *   interface.
 * Objects. Handles are opaque. Every handle that a function returns is released once, by its
 *   *_free(), which accepts NULL. They may be released in any order: a session keeps what it needs
 *   of its program and device.
 * Memory. Buffers belong to the caller. Texts and structures that the library returns belong to the
 *   handle they come from and are valid until it is released.
 * Threads. Networks, programs, data sets and reports do not change and may be used by any number of
 *   threads. Sessions may, too: the runs of a session, and all uses of a device by its sessions,
 * are executed one after another. vta_session_cancel() may be called at any time. After fork(), the
 *   child may use no handle of its parent.
 * Versions. The library's SONAME is its ABI. Within one, functions and constants stay, and
 * structures grow at their end only: a structure that the caller fills in starts with its size, and
 * those that the library fills in are reached by pointers to one element.
 */
#ifndef VTA_TOOLS_C_API_VTA_H_
#define VTA_TOOLS_C_API_VTA_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VTA_API __attribute__((visibility("default")))

typedef enum vta_status {
  VTA_OK = 0,
  VTA_INVALID_ARGUMENT = 1, /* a value outside the documented range */
  VTA_UNSUPPORTED = 2,      /* valid, but this core, operator, board or build cannot do it */
  VTA_NOT_FOUND = 3,        /* a file, network, node or device that does not exist */
  VTA_CORRUPT = 4,          /* bytes that do not match their format */
  VTA_OUT_OF_MEMORY = 5,    /* of the host, of DRAM, of a scratchpad */
  VTA_TIMEOUT = 6,          /* the device did not answer within the stated time */
  VTA_DEVICE = 7,           /* the device answered with a fault */
  VTA_IO = 8,               /* the operating system refused to read or write */
  VTA_CANCELLED = 9,        /* by vta_session_cancel() or a progress function */
  VTA_INTERNAL = 10         /* a bug in the library */
} vta_status;

/* The message of the last call of this thread that failed; "" if none has. */
VTA_API const char* vta_last_error(void);

/* The toolkit's version, "0.1.0". */
VTA_API const char* vta_version(void);

/* 1 if the library can compile networks and read data sets, 0 if it is the small build for boards,
 * in which those functions return VTA_UNSUPPORTED. */
VTA_API int vta_has_compiler(void);

/* Called now and then, on the thread that called the function that takes it, with what is in
 * progress and the fraction in [0, 1]. Returns 0 to go on; any other value cancels the call. */
typedef int (*vta_progress_fn)(void* user, const char* what, double fraction);

/* Memory of the caller. */
typedef struct vta_buffer {
  void* data;
  size_t num_bytes;
} vta_buffer;

typedef enum vta_dtype { VTA_FLOAT32 = 0, VTA_INT8 = 1, VTA_INT32 = 2 } vta_dtype;

/* An input or output: a dense, row-major array. */
typedef struct vta_tensor_info {
  const char* name;
  int32_t dtype; /* a vta_dtype */
  uint32_t rank;
  const int64_t* shape; /* images are [n, c, h, w] */
  size_t num_bytes;
} vta_tensor_info;

/* --- What is installed ------------------------------------------------------------------------ */

/* A kind of device that vta_device_open() accepts. */
typedef struct vta_device_kind {
  const char* uri;  /* its form: "cycle[:MEMORY]" */
  const char* what; /* "the core's cycle model" */
} vta_device_kind;

VTA_API size_t vta_num_device_kinds(void);
VTA_API const vta_device_kind* vta_device_kind_at(size_t index); /* NULL beyond the last */

/* --- Programs --------------------------------------------------------------------------------- */

/* A network compiled for a core. */
typedef struct vta_program vta_program;

VTA_API vta_status vta_program_open(const char* path, vta_program** program); /* a .vta file */
VTA_API vta_status vta_program_save(const vta_program* program, const char* path);
/* The same from the bytes of such a file, which messages call `name`. */
VTA_API vta_status vta_program_parse(const char* name, const uint8_t* file, size_t num_bytes,
                                     vta_program** program);
/* Writes the bytes of a .vta file to memory of exactly vta_program_file_bytes(). */
VTA_API vta_status vta_program_write(const vta_program* program, const vta_buffer* buffer);
VTA_API vta_status vta_program_file_bytes(const vta_program* program, size_t* num_bytes);
VTA_API void vta_program_free(vta_program* program);

typedef struct vta_program_info {
  const char* network;
  const char* core;
  const char* mode;        /* "fused", "compatible" */
  const char* quantize;    /* method and options: "mse, per tensor" */
  const char* weights;     /* a file's name, or "synthetic:SEED" */
  const char* calibration; /* what the scales were chosen on; "" if unknown */
  uint64_t macs;           /* multiply-accumulates of one image */
  uint64_t macs_on_core;
  uint64_t arena_bytes; /* device memory that a session needs */
  size_t num_inputs;
  size_t num_outputs;
  size_t num_layers;
  size_t num_labels;
  const char* output_kind; /* "classes": scores; "yolo": grids of boxes; "image"; "none" */
  /* Samples of an inference: rows of the first axis of all inputs and outputs. 1: one sample. */
  int64_t batch;
} vta_program_info;

VTA_API const vta_program_info* vta_program_info_of(const vta_program* program);
/* NULL beyond the last one. */
VTA_API const vta_tensor_info* vta_program_input(const vta_program* program, size_t index);
/* Sizes of a network with NonMaxSuppression or the like may be upper bounds: vta_session_output().
 */
VTA_API const vta_tensor_info* vta_program_output(const vta_program* program, size_t index);
/* The name of a class, which the program holds; of older programs from the file that the network
 * names, which the first call reads. */
VTA_API vta_status vta_program_label(const vta_program* program, size_t index, const char** label);

/* A step of a program, in order. */
typedef struct vta_layer_info {
  const char* name;
  const char* op;        /* "qconv2d", "pack", ... */
  const char* where;     /* "core", "host" */
  uint64_t macs;         /* of one image */
  uint64_t gemm_counter; /* GEMM micro-ops without reset */
  uint64_t alu_counter;
  uint64_t dram_bytes; /* loads and stores */
  /* Of the operands and results, on the core as they are packed, with weights and bias:
   * "int8[1, 4, 56, 56, 1, 16], int8[4, 4, 3, 3, 16, 16], ...". */
  const char* shapes;
} vta_layer_info;

VTA_API const vta_layer_info* vta_program_layer(const vta_program* program, size_t index);

/* Makes the only input of a program from an image file (JPEG, PNG, WebP, BMP), from an .npz file
 * with one array (full build), or, with "noise:SEED", from standard normals; NULL: the network's
 * sample. If the input is a batch, every element is this image. `input`: of the input's size. */
VTA_API vta_status vta_program_read_input(const vta_program* program, const char* file,
                                          const vta_buffer* input);
/* The same from the bytes of a JPEG, PNG, WebP or BMP file. */
VTA_API vta_status vta_program_decode_input(const vta_program* program, const uint8_t* file,
                                            size_t num_bytes, const vta_buffer* input);
/* The same from pixels, [height][width][3], in RGB order. */
VTA_API vta_status vta_program_preprocess(const vta_program* program, const uint8_t* rgb,
                                          int64_t height, int64_t width, const vta_buffer* input);

/* --- Networks and the compiler ---------------------------------------------------------------- */

/* A network from a file: JSON, ONNX or quantized (.vtaq). */
typedef struct vta_network vta_network;

/* NULL members have the default that `vta-compile --help` states. */
typedef struct vta_network_options {
  size_t struct_size; /* sizeof(vta_network_options) */
  const char* weights;
  const char* input_size; /* "224x224" */
  uint64_t seed;
  int32_t has_seed;
  /* How images become the input: (pixel * scale - mean) / stddev. */
  const char* preprocess; /* "imagenet", "none", "0-1", "-1-1" */
  const char* mean;       /* "0.5" or one per channel: "0.5,0.5,0.5" */
  const char* stddev;
  const char* scale;    /* "1/255" */
  const char* channels; /* "rgb", "bgr", "gray" */
  const char* layout;   /* "nchw", "nhwc" */
  const char* resize;   /* "256", "256x256", "stretch", "letterbox", "letterbox:114" */
  /* Of ONNX models, NULL or one text per entry: "AXIS" or "NAME=AXIS", the batch of the inputs or
   * of one; "1x128" or "NAME=1x128", sizes that the model leaves open; "NAME=16000" or
   * "NAME=1,128", inputs that become constants. */
  const char* const* batch_axes;
  size_t num_batch_axes;
  const char* const* input_shapes;
  size_t num_input_shapes;
  const char* const* input_values;
  size_t num_input_values;
} vta_network_options;

/* `name`: a path, or the name of an installed network. `options` may be NULL. */
VTA_API vta_status vta_network_load(const char* name, const vta_network_options* options,
                                    vta_network** network);
/* The same from the bytes of an ONNX model without external data. `name`: of the network, also in
 * messages. */
VTA_API vta_status vta_network_parse(const char* name, const uint8_t* model, size_t num_bytes,
                                     const vta_network_options* options, vta_network** network);
VTA_API void vta_network_free(vta_network* network);
VTA_API const char* vta_network_name(const vta_network* network);
/* Samples of an inference as the network declares them: rows of the first axis of all inputs and
 * outputs that no operator combines; else 1. */
VTA_API int64_t vta_network_batch(const vta_network* network);
/* 1 if the network has its own scales, else 0: vta_compile() then chooses them on calibration
 * inputs. */
VTA_API int vta_network_is_quantized(const vta_network* network);
/* What the model says of itself that is wrong, without effect, such as the shape of an output. NULL
 * beyond the last. */
VTA_API const char* vta_network_note(const vta_network* network, size_t index);
VTA_API size_t vta_network_num_inputs(const vta_network* network);
VTA_API size_t vta_network_num_outputs(const vta_network* network);
VTA_API const vta_tensor_info* vta_network_input(const vta_network* network, size_t index);
VTA_API const vta_tensor_info* vta_network_output(const vta_network* network, size_t index);

/* Which nodes of an ONNX model the compiler takes, each as a model of its own. All values of the
 * model are inputs or outputs, which state their types. */
typedef struct vta_node_refusals vta_node_refusals;

VTA_API vta_status vta_node_refusals_of(const char* model, vta_node_refusals** refusals);
/* The same from the bytes of a model. */
VTA_API vta_status vta_node_refusals_parse(const uint8_t* model, size_t num_bytes,
                                           vta_node_refusals** refusals);
VTA_API size_t vta_node_refusals_size(const vta_node_refusals* refusals); /* nodes of the model */
/* Why not, of a node in the order of the file; "" if it is taken. NULL beyond the last. */
VTA_API const char* vta_node_refusals_at(const vta_node_refusals* refusals, size_t node);
VTA_API void vta_node_refusals_free(vta_node_refusals* refusals);

/* The options of vta-compile. NULL and 0 stand for its defaults. */
typedef struct vta_compile_options {
  size_t struct_size; /* sizeof(vta_compile_options) */
  const char* core;
  const char* quantize; /* "global", "max", "mse", "kl" */
  const char* per_channel;
  const char* equalize;
  const char* rounding;
  const char* const* keep_float; /* names of layers, or auto:DB */
  size_t num_keep_float;
  const char* calibrate;         /* a data set: "npz:FILE" */
  const float* calibration_data; /* instead: inputs, one after another */
  size_t num_calibration_inputs;
  const char* mode;
  const char* first_convolution;
  int32_t per_layer_streams;
  vta_progress_fn progress; /* may be NULL */
  void* progress_user;
  const char* schedules; /* tilings: "zoo" (default), "none", or a log of vta-sim tune */
  const char* tuned_for; /* the memory that they were measured with */
  const char* scales;    /* "auto" (default), "power-of-two", "free" */
  int32_t requantize;    /* drops the scales of a network that is quantized already */
  const char* labels;    /* a file of the classes' names, one per line, instead of the network's */
  const char* start;     /* the first layer that may be on the core, and the first one after it */
  const char* stop;      /* that is on the host again: names, or operators ("max_pool2d") */
} vta_compile_options;

/* `options` may be NULL. */
VTA_API vta_status vta_compile(const vta_network* network, const vta_compile_options* options,
                               vta_program** program);

/* A network on the host in fp32, for comparison; a quantized network in integers. Used by one
 * thread at a time. */
typedef struct vta_reference vta_reference;

VTA_API vta_status vta_reference_open(const vta_network* network, vta_reference** reference);
VTA_API vta_status vta_reference_run(vta_reference* reference, const vta_buffer* inputs,
                                     size_t num_inputs, const vta_buffer* outputs,
                                     size_t num_outputs);
/* As vta_session_output(). */
VTA_API const vta_tensor_info* vta_reference_output(const vta_reference* reference, size_t index);
VTA_API void vta_reference_free(vta_reference* reference);

/* --- Data sets -------------------------------------------------------------------------------- */

/* Labelled images, or samples of several inputs, as inputs of one image each. */
typedef struct vta_dataset vta_dataset;

/* `text`: "npz:FILE[:COUNT]" and the other forms of `vta-sim eval --help`. */
VTA_API vta_status vta_dataset_open(const char* text, const vta_program* program,
                                    vta_dataset** dataset);
VTA_API void vta_dataset_free(vta_dataset* dataset);
VTA_API size_t vta_dataset_size(const vta_dataset* dataset);
VTA_API const int64_t* vta_dataset_labels(const vta_dataset* dataset); /* NULL if it has none */
/* `inputs`: a buffer for each input of the program, in its order, of one image. */
VTA_API vta_status vta_dataset_read(const vta_dataset* dataset, size_t index,
                                    const vta_buffer* inputs);

/* --- Devices ---------------------------------------------------------------------------------- */

typedef struct vta_device vta_device;

/* Opens a device for programs of the same core as `program`. `uri`: "functional", "cycle",
 * "cycle:pynq-z1", "rtl", "rpc://HOST:PORT", "uio:", ...; vta_device_kind_at() lists the forms.
 */
VTA_API vta_status vta_device_open(const char* uri, const vta_program* program,
                                   vta_device** device);
VTA_API void vta_device_free(vta_device* device);

/* Before a long compilation: fails where vta_device_open() would for an unknown kind of device or a
 * server ("rpc://HOST:PORT") that does not answer or refuses the client. Keeps no connection. */
VTA_API vta_status vta_device_require_reachable(const char* uri);

typedef struct vta_device_info {
  const char* uri;
  const char* core;
  int32_t timed;    /* 1 if it counts cycles */
  int32_t computes; /* 0: only counters are valid, outputs are not */
} vta_device_info;

VTA_API const vta_device_info* vta_device_info_of(const vta_device* device);

/* --- Sessions --------------------------------------------------------------------------------- */

/* A program in the memory of a device. */
typedef struct vta_session vta_session;
/* What one run counted. */
typedef struct vta_report vta_report;

VTA_API vta_status vta_session_open(const vta_program* program, vta_device* device,
                                    vta_session** session);
VTA_API void vta_session_free(vta_session* session);

typedef struct vta_run_options {
  size_t struct_size;       /* sizeof(vta_run_options) */
  vta_progress_fn progress; /* may be NULL; else called at least every 100 ms */
  void* progress_user;
} vta_run_options;

/* Runs one inference. `inputs` and `outputs` are in the program's order and of exactly its sizes;
 * floating-point inputs have no NaN.
 * Inputs are packed from where they are, and outputs that the core stores are unpacked or
 * dequantized to where they belong; the inputs and results of other host operators are copied once
 * (vta_run_report.copied_bytes). Buffers do not overlap; after an error the outputs have any
 * contents. A progress function cannot run its own session: VTA_INVALID_ARGUMENT.
 * `options` may be NULL. `report`: NULL, or receives a report that the caller releases.
 */
VTA_API vta_status vta_session_run(vta_session* session, const vta_buffer* inputs,
                                   size_t num_inputs, const vta_buffer* outputs, size_t num_outputs,
                                   const vta_run_options* options, vta_report** report);

/* An output of the last run: as vta_program_output(), but with the sizes of the run where the
 * program has upper bounds, and its bytes, which are the first of the buffer. Valid until the next
 * run: threads that share a session must not call this while another one runs it. NULL beyond the
 * last one, and before the first run. */
VTA_API const vta_tensor_info* vta_session_output(const vta_session* session, size_t index);

/* Cancels the run in progress, if any: it returns VTA_CANCELLED, and the session can run again. Any
 * thread may call it. The current host operator ends first. The current instruction stream is
 * stopped, also on a remote device, if the device can stop one. */
VTA_API void vta_session_cancel(vta_session* session);

#define VTA_NUM_STAGES 4
#define VTA_NUM_STAGE_STATES 6

/* Stages and states, as indices of vta_counters.stages. */
enum { VTA_STAGE_LOAD = 0, VTA_STAGE_GEMM = 1, VTA_STAGE_ALU = 2, VTA_STAGE_STORE = 3 };
enum {
  VTA_STATE_BUSY = 0,
  VTA_STATE_WAIT_TOKEN = 1,
  VTA_STATE_WAIT_MEMORY = 2,
  VTA_STATE_WAIT_PORT = 3,
  VTA_STATE_WAIT_QUEUE = 4,
  VTA_STATE_IDLE = 5
};

/* The same on every device. */
typedef struct vta_counters {
  uint64_t inp_load_nbytes;
  uint64_t wgt_load_nbytes;
  uint64_t acc_load_nbytes;
  uint64_t uop_load_nbytes;
  uint64_t out_store_nbytes;
  uint64_t gemm_counter;
  uint64_t alu_counter;
  int32_t has_cycles; /* 0: the device counts none, and the members below are 0 */
  int32_t has_stages;
  uint64_t cycles;
  uint64_t stages[VTA_NUM_STAGES][VTA_NUM_STAGE_STATES]; /* cycles of each stage, by state */
} vta_counters;

typedef struct vta_layer_report {
  const char* name;
  const char* op;
  const char* where; /* "core", "host" */
  uint64_t macs;     /* of one image */
  double seconds;
  int32_t ends_run; /* 1 if a run of the device ends with the layer */
  vta_counters counters;
} vta_layer_report;

typedef struct vta_run_report {
  vta_counters counters; /* sums over the layers */
  double device_seconds; /* of a device on another machine by its clock */
  double host_seconds;   /* host operators, packing, copies, the connection */
  double wait_seconds;   /* until the device was free */
  size_t num_layers;
  uint64_t copied_bytes; /* of inputs and outputs, besides (un)packing, dequantizing */
} vta_run_report;

VTA_API const vta_run_report* vta_report_totals(const vta_report* report);
VTA_API const vta_layer_report* vta_report_layer(const vta_report* report, size_t index);
VTA_API void vta_report_free(vta_report* report);

/* --- Serving a device ------------------------------------------------------------------------- */

/* A server of remote devices in this process, on a thread of its own. */
typedef struct vta_server vta_server;

typedef struct vta_server_options {
  size_t struct_size; /* sizeof(vta_server_options) */
  const char* listen; /* "127.0.0.1:0" if NULL: any free port of the loopback interface */
  const char* token;  /* required from clients, 16 to 256 printable characters; NULL for none */
  const char* certificate;
  const char* key;
} vta_server_options;

/* `core`: NULL for vta_1x16. `options` may be NULL. */
VTA_API vta_status vta_server_start(const char* uri, const char* core,
                                    const vta_server_options* options, vta_server** server);
VTA_API uint16_t vta_server_port(const vta_server* server);
/* Stops the server: clients are told, a run in progress ends first. */
VTA_API void vta_server_free(vta_server* server);

#ifdef __cplusplus
}
#endif

#endif  // VTA_TOOLS_C_API_VTA_H_
